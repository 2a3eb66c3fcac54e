// Where somebody without an account was in the lessons: kept in this browser, never sent anywhere.

const keyOf = (game) => `lesson-${game}`;

/** The step (from 0) that was left last in this browser, -1 when none is known. */
export function readPlace(game) {
  try {
    return Number(localStorage.getItem(keyOf(game)) ?? 0) - 1;
  } catch {
    return -1; // storage may be closed to this page
  }
}

/** Keep the step (from 0); what was finished begins anew the next time. */
export function writePlace(game, at, count) {
  try {
    if (at === count - 1) localStorage.removeItem(keyOf(game));
    else localStorage.setItem(keyOf(game), String(at + 1));
  } catch {
    // the address of the page has it too
  }
}

// Sounds and vibration: what reaches a player who looks elsewhere. Every sound is made here from plain waves.

let audio = null;

/** Browsers let a page sound and shake only after somebody has pressed something on it. */
const touched = () => navigator.userActivation?.hasBeenActive ?? true;

/**
 * Let the page sound from now on, if it may: called while somebody presses something. Safari begins only then and never
 * at a message of the server, and falls silent again while a phone is locked.
 */
export function wakeSound() {
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume().catch(() => {}); // the next press tries again
}

/** One wave: `hz` high, beginning `at` and lasting `long` (s), not louder than `loud` (0 to 1). */
function wave(hz, at, long, loud, shape = "sine") {
  const swing = audio.createOscillator();
  const gain = audio.createGain();
  const start = audio.currentTime + at;
  swing.type = shape;
  swing.frequency.value = hz;
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(loud, start + Math.min(0.03, long / 4));
  gain.gain.exponentialRampToValueAtTime(0.0001, start + long);
  swing.connect(gain).connect(audio.destination);
  swing.start(start);
  swing.stop(start + long + 0.05);
}

const SOUNDS = {
  turn: () => wave(523, 0, 0.25, 0.12),
  card: () => wave(180, 0, 0.06, 0.06, "triangle"),
  trick: () => { wave(392, 0, 0.12, 0.06); wave(523, 0.1, 0.16, 0.06); },
  over: () => { wave(523, 0, 0.18, 0.08); wave(659, 0.14, 0.18, 0.08); wave(784, 0.28, 0.3, 0.08); },
};

/** Which sound belongs to what happened, the most important one of all, or null. */
export function soundOf(events) {
  const types = new Set(events.map((event) => event.type));
  if (types.has("deal_over") || types.has("final")) return "over";
  if (types.has("trick")) return "trick";
  return types.has("card") || types.has("discard") || types.has("turn_up") || types.has("open") ? "card" : null;
}

/** Make the sound `name`. While the page is silent, it is left out: all of them would be heard at once later. */
export function sound(name) {
  if (name && audio?.state === "running") SOUNDS[name]();
}

export const canShake = () => typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

/** Two short pulses. */
export function shake() {
  if (canShake() && touched()) navigator.vibrate([60, 60, 60]);
}

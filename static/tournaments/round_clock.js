// A round's clock in words: pure functions of times in ms. The clock counts down and decides nothing.

/** Return what is left at `now`: negative when time is up; a stopped clock shows the moment at which it was stopped. */
export function leftAt(now, ends, paused = null) {
  return ends - (paused ?? now);
}

/** Return minutes and seconds, with hours from sixty minutes on; 0:00 from the end on. */
export function inWords(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const pad = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${pad(seconds % 60)}` : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

/** Return how far the server's clock is ahead: of several answers the quickest is believed. */
export function aheadBy(samples) {
  const best = samples.reduce((one, other) => (other.trip < one.trip ? other : one));
  return best.server - (best.sent + best.trip / 2);
}

// Cards glide from where they were to where they are (first, last, invert, play). The state never waits for it:
// the page is already right when the movement starts, and whatever is in the way of a newer state is cut short.

const MOVE_MS = 200;
const TOO_MANY_EVENTS = 3;

let running = [];

export const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether a change is worth animating: more than three events at once are shown as their end. */
export const worthMoving = (events) => events.length > 0 && events.length <= TOO_MANY_EVENTS;

/** Remember where every card marked with `data-flip` is now. */
export function where(root) {
  const places = new Map();
  for (const node of root.querySelectorAll("[data-flip]")) {
    const box = node.getBoundingClientRect();
    if (box.width > 0) places.set(node.dataset.flip, box);
  }
  return places;
}

/** Move every marked card from its old place, or from the node its `data-from` names, to its new one. */
export function glide(root, before) {
  for (const animation of running) animation.finish();
  running = [];
  if (calm() || document.hidden) return;
  for (const node of root.querySelectorAll("[data-flip]")) {
    const to = node.getBoundingClientRect();
    const from = before.get(node.dataset.flip) ?? origin(root, node);
    if (!from || to.width === 0 || from.width === 0) continue;
    const x = from.left + from.width / 2 - (to.left + to.width / 2);
    const y = from.top + from.height / 2 - (to.top + to.height / 2);
    const scale = Math.max(0.2, Math.min(3, from.height / to.height));
    if (Math.abs(x) < 2 && Math.abs(y) < 2 && Math.abs(scale - 1) < 0.05) continue;
    const frames = [{ transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 30 }, { zIndex: 30 }];
    running.push(node.animate(frames, { duration: MOVE_MS, easing: "cubic-bezier(.2,.7,.3,1)" }));
  }
}

function origin(root, node) {
  if (!node.dataset.from || node.dataset.shown) return null;
  return root.querySelector(`[data-place="${node.dataset.from}"]`)?.getBoundingClientRect();
}

/** Mark the cards on the page as seen, so that only newly arrived ones come from their origin. */
export function markShown(root) {
  for (const node of root.querySelectorAll("[data-flip]")) node.dataset.shown = "1";
}

// Words of the page: the log, the line under the board, and what a screen reader hears.

import { el, setText } from "./dom.js";
import { lineFor, summary } from "./log.js";

const LOG_LENGTH = 400;
const SPOKEN_LENGTH = 30;

const $ = (id) => document.getElementById(id);

/** Show the newest lines whenever the log comes into view: while it is not shown, nothing can be scrolled. */
export function followLog() {
  let shown = false;
  new ResizeObserver(([{ contentRect }]) => {
    if (!shown && contentRect.height > 0) $("log").scrollTop = $("log").scrollHeight;
    shown = contentRect.height > 0;
  }).observe($("log"));
}

/** Tell `events` as lines: each to the log and the reader, the last one or two under the board; `v` is their version. */
export function tell(events, frame, v) {
  const lines = events.map((event) => lineFor(event, frame)).filter(Boolean);
  if (lines.length === 0) return;
  for (const each of lines) {
    $("log").append(logLine(each, v));
    say(each.spoken);
  }
  while ($("log").children.length > LOG_LENGTH) $("log").firstElementChild.remove();
  $("log").scrollTop = $("log").scrollHeight;
  const words = summary(lines);
  if (words) setText($("line"), words);
}

/**
 * Begin the log with what happened up to version `v`: after a reload, or after a lost line. Lines that were told since
 * then stay; nothing is spoken.
 */
export function recall({ v, events }, frame) {
  for (const line of [...$("log").children]) if (Number(line.dataset.v) <= v) line.remove();
  const lines = events.map((event) => lineFor(event, frame)).filter(Boolean);
  $("log").prepend(...lines.map((each) => logLine(each, v)));
  $("log").scrollTop = $("log").scrollHeight;
  if (!$("line").textContent) setText($("line"), summary(lines));
}

const logLine = (line, v) => el("li", { class: line.quiet ? "quiet" : null, "data-v": v }, line.text);

/** Say `text` to a screen reader when it has finished what it says now. */
export function say(text) {
  if (!text) return;
  $("say").append(el("p", {}, text));
  while ($("say").children.length > SPOKEN_LENGTH) $("say").firstElementChild.remove();
}

/** Say `text` at once: for the own turn and the last seconds only. */
export function alertReader(text) {
  setText($("alert"), text);
}

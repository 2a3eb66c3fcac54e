// Words of the page: the log, the line under the board, and what a screen reader hears.

import { el, setText } from "./dom.js";
import { lineFor, summary } from "./log.js";

const LOG_LENGTH = 400;
const SPOKEN_LENGTH = 30;

const $ = (id) => document.getElementById(id);

/** Tell `events` as lines: each to the log and the reader, the last one or two under the board. */
export function tell(events, frame) {
  const lines = events.map((event) => lineFor(event, frame)).filter(Boolean);
  if (lines.length === 0) return;
  for (const each of lines) {
    $("log").append(el("li", { class: each.quiet ? "quiet" : null }, each.text));
    say(each.spoken);
  }
  while ($("log").children.length > LOG_LENGTH) $("log").firstElementChild.remove();
  $("log").scrollTop = $("log").scrollHeight;
  const words = summary(lines);
  if (words) setText($("line"), words);
}

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

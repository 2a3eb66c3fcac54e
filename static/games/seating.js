// The page of a table whose seats are filling: the table's socket says when to look again, and the match takes over
// when its first deal is about to start. The page asks for itself every few seconds as well, which needs no socket.

import { openChat } from "./chat.js";
import { el, setText } from "./dom.js";
import { gettext } from "./i18n.js";
import { readSettings, writeSettings } from "./settings.js";
import { newId, openLine } from "./socket.js";

const $ = (id) => document.getElementById(id);
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const AFTER_PRESS = 500; // ms until the seats are looked at again when somebody was pressing something
let version = null;

const settings = readSettings();
const chat = openChat({ send: (frame) => socket.send(frame), say: sayChat, newId, settings, keep: () => writeSettings(settings) });

/** New lines are read aloud beside the page's own words, which stay as they are. */
function sayChat(text) {
  $("chat-say").append(el("p", {}, text));
  while ($("chat-say").children.length > 30) $("chat-say").firstElementChild.remove();
}

document.addEventListener("keydown", (event) => {
  if (!readSettings().keys || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== "t") return;
  if (event.target.closest("input, textarea, select, dialog[open]")) return;
  event.preventDefault();
  chat.toggle();
});

const socket = openLine(`${scheme}//${location.host}${$("seating").dataset.socket}`, (message) => {
  if (chat.receive(message) || message.t !== "state") return;
  chat.follow(message.table, false);
  if (message.table.status !== "seating") location.reload();
  else if (version !== null && message.v > version) window.htmx?.trigger("#seating", "look");
  version = message.v;
});

/** Count down what is left of an offer; the server's words come with the next look. */
function countDown() {
  for (const node of document.querySelectorAll("[data-left]")) {
    node.until ??= performance.now() + Number(node.dataset.left);
    node.textContent = String(Math.max(0, Math.ceil((node.until - performance.now()) / 1000)));
  }
}

/** Read out what has changed since the last look: the page's own regions stay, so that nothing is said twice. */
function tell() {
  for (const region of ["say", "alert"]) {
    setText($(region), document.querySelector(`#seating [data-${region}]`)?.textContent.trim() ?? "");
  }
}

$("open-chat").hidden = false;
const link = $("link").textContent.trim();
if (navigator.clipboard) {
  $("copy").hidden = false;
  $("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(link);
    $("copied").textContent = gettext("Copied.");
  });
}
if (navigator.share) {
  $("share").hidden = false;
  // Who closes the phone's own panel has chosen not to share: that is no fault.
  $("share").addEventListener("click", () => navigator.share({ title: $("share").dataset.title, url: link }).catch(() => {}));
}
// A form's own answer leads on: a reload in its way would throw it away.
document.addEventListener("submit", (event) => event.defaultPrevented || socket.close());
document.addEventListener("visibilitychange", () => !document.hidden && socket.wake());
addEventListener("online", () => socket.wake());
addEventListener("pagehide", () => socket.close());
addEventListener("pageshow", (event) => event.persisted && location.reload());
// A press that came down on a button must come up on the same one, or nothing hears it.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!$("seating").matches(":active")) return;
  event.detail.shouldSwap = false;
  setTimeout(() => window.htmx.trigger("#seating", "look"), AFTER_PRESS);
});
document.addEventListener("htmx:afterSwap", () => {
  countDown();
  tell();
});
setInterval(countDown, 500);
countDown();
tell();
socket.connect();

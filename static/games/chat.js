// The chat beside the table: a drawer with the lines, an input, quick phrases, and a small menu at each line.
// Whatever people wrote is set as text, never as markup; addresses in it are not links.

import { initialChat, isMine, reduceChat, unread } from "./chat_state.js";
import { moment } from "./clock.js";
import { el, patchList, roving, setAttr, setLine, setText } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";

const SPOKEN_AT_ONCE = 3; // lines; of more only the number is said
const ASK_EVERY = 60_000; // ms: an announcement may be lost, so an open chat asks now and then

const $ = (id) => document.getElementById(id);

/**
 * Open the chat. `send(frame)` puts a frame on the line, `say(text)` speaks to a screen reader, `newId()` makes ids of
 * commands; `settings.chat` is whether lines are spoken while the drawer is closed, `keep()` remembers the settings.
 */
export function openChat({ send, say, newId, settings, keep }) {
  let state = initialChat;

  function dispatch(message) {
    const step = reduceChat(state, message);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.do === "send") send(effect.frame);
      else if (effect.do === "show") show();
      else if (effect.do === "offer") offer();
      else if (effect.do === "speak") speak(effect.lines);
      else if (effect.do === "muted") say(fill(gettext("You will not read %(name)s any more."), effect));
      else if (effect.do === "sent" && effect.frame.text !== undefined) $("chat-text").value = "";
    }
  }

  function speak(lines) {
    if (!state.open && !settings.chat) return;
    if (lines.length > SPOKEN_AT_ONCE) say(newLines(lines.length));
    else for (const line of lines) say(fill(gettext("%(name)s writes: %(text)s"), line));
  }

  /** Lead on to the line that one may write in now; who went elsewhere meanwhile is left alone. */
  function offer() {
    if (document.activeElement === $("close-chat")) enter();
  }

  function enter() {
    (state.write === "text" ? $("chat-text") : $("close-chat")).focus();
  }

  function show() {
    showButton();
    const list = $("chat-lines");
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    patchList(list, state.lines, { key: (line) => String(line.id), make: makeLine, update: showLine });
    if (atEnd) list.scrollTop = list.scrollHeight;
    $("chat-none").hidden = state.lines.length > 0;
    setLine($("chat-refusal"), state.refusal);
    setText($("chat-label"), state.room === "table" ? gettext("Write to the table") : gettext("Write to the watchers"));
    setLine($("chat-note"), note());
    $("chat-form").hidden = state.write !== "text";
    $("chat-phrases").hidden = state.write === "no";
    setAttr($("chat-panel"), "data-waiting", Boolean(state.sending));
  }

  function showButton() {
    const count = unread(state);
    setText($("chat-count"), count > 0 ? String(Math.min(count, 99)) : "");
    setText($("chat-count-words"), count > 0 ? newLines(count) : "");
    $("chat-count").hidden = count === 0;
    setAttr($("open-chat"), "aria-expanded", String(state.open));
  }

  function note() {
    if (!state.known) return "";
    if (state.closed) return gettext("The chat of this table is closed.");
    if (!state.signedIn) return gettext("Sign in to write here.");
    if (state.write === "text") return "";
    return state.place?.endsWith("/true")
      ? gettext("The match is over: choose from the phrases.")
      : gettext("Guests choose from the phrases.");
  }

  function makeLine(line) {
    const said = new Date(line.at);
    const words = el("span", { class: "chat-words" });
    words.textContent = line.text;
    return el(
      "li",
      { class: line.own ? "chat-own" : null },
      el("time", { datetime: said.toISOString() }, moment(said, { day: false })),
      el("b", {}, line.name),
      line.room === "watchers" ? el("small", { class: "chat-room" }, gettext("watchers")) : null,
      words,
    );
  }

  function showLine(node, line) {
    const wanted = state.signedIn && !line.own && !line.erased;
    const menu = node.querySelector("details");
    if (wanted && !menu) node.append(makeMenu(line));
    if (!wanted && menu) menu.remove();
  }

  function makeMenu(line) {
    const mute = el("button", { type: "button", class: "chat-act" }, fill(gettext("Mute %(name)s"), line));
    mute.addEventListener("click", () => {
      dispatch({ t: "mute", id: line.id, name: line.name });
      $("chat-lines").focus();
    });
    const report = el("a", { class: "chat-act", href: `${$("chat-panel").dataset.report}?line=${line.id}`, target: "_blank", rel: "noopener" }, gettext("Report this line"));
    const summary = el("summary", {}, el("span", { "aria-hidden": "true" }, "⋯"), el("span", { class: "vh" }, fill(gettext("What to do about this line of %(name)s"), line)));
    return el("details", { class: "chat-menu" }, summary, mute, report);
  }

  function write(words) {
    dispatch({ t: "say", frame: { t: "say", id: newId(), room: state.room, ...words } });
  }

  function toggle(open = !state.open) {
    dispatch({ t: "drawer", open });
    setAttr($("chat-panel"), "data-open", String(open));
    if (!open) {
      $("open-chat").focus();
      return;
    }
    $("chat-lines").scrollTop = $("chat-lines").scrollHeight;
    enter();
    send({ t: "chat_since", id: state.to });
  }

  function setUp() {
    roving($("chat-phrases"))();
    $("open-chat").addEventListener("click", () => toggle());
    $("close-chat").addEventListener("click", () => toggle(false));
    $("chat-panel").addEventListener("keydown", (event) => event.key === "Escape" && toggle(false));
    $("chat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if ($("chat-text").value.trim()) write({ text: $("chat-text").value });
    });
    $("chat-phrases").addEventListener("click", (event) => {
      const phrase = event.target.closest("[data-phrase]")?.dataset.phrase;
      if (phrase) write({ phrase });
    });
    $("set-chat").checked = settings.chat;
    $("set-chat").addEventListener("change", () => {
      settings.chat = $("set-chat").checked;
      keep();
    });
    setInterval(() => state.open && send({ t: "chat_since", id: state.to }), ASK_EVERY);
  }

  setUp();
  return {
    toggle,
    /** Take a frame of the server; returns whether it was for the chat alone. */
    receive(message) {
      const mine = message.t === "chat" || ((message.t === "ok" || message.t === "refused") && isMine(state, message));
      if (mine || message.t === "line") dispatch(message);
      return mine;
    },
    /**
     * Follow the table: what may be read depends on the own seat and on whether the match is over. `mine` is whether
     * the player is on turn, which an open chat would hide on a phone.
     */
    follow(table, mine) {
      dispatch({ t: "place", you: table.you, over: table.status === "finished" });
      setLine($("chat-turn"), mine ? gettext("It is your turn.") : "");
    },
  };
}

const newLines = (count) => fill(ngettext("%(n)s new line", "%(n)s new lines", count), { n: count });

// Card buttons and pictures, shared by the games.

import { cardName, deckName } from "./cards.js";
import { el, setAttr } from "./dom.js";
import { fill, gettext } from "./i18n.js";

const settings = { colours: "four", faces: "big" };

/** The address of each face, from the page: files are named with a hash, so that browsers keep them. */
const addresses = JSON.parse(globalThis.document?.getElementById("card-faces")?.textContent ?? "{}");

export function configureFaces(changes) {
  Object.assign(settings, changes);
}

const wide = () => window.matchMedia("(min-width: 480px)").matches;
const deck = () => deckName(settings, wide());

export const face = (card) => addresses[`${deck()}/${card}`];
export const back = () => addresses.back;

export function picture(source) {
  return el("img", { src: source, width: 240, height: 336, alt: "", draggable: "false" });
}

/** A card that can be pressed. Its state is told by `showCard`. */
export function makeCard(card, key = card) {
  return el("button", { type: "button", class: "card", "data-card": card, "data-flip": key }, picture(face(card)));
}

/** The words of a card that can be pressed: its name, whether it may be played now, and why not (`why`, a sentence). */
export function cardLabel({ card, can, words = "", why = "" }) {
  const refused = why ? fill(gettext("not allowed now: %(why)s"), { why }) : gettext("not allowed now");
  const state = { playable: gettext("playable"), refused, idle: "" }[can];
  return [cardName(card), words, state].filter(Boolean).join(", ");
}

/**
 * Bring a card button up to date: `can` is playable, refused or idle; `chosen` is null for cards that do not toggle;
 * `label` are its words.
 */
export function showCard(node, { card, can, chosen = null, from = null, label }) {
  setAttr(node.firstElementChild, "src", face(card));
  setAttr(node, "aria-label", label);
  setAttr(node, "aria-disabled", can === "playable" ? null : "true");
  setAttr(node, "aria-pressed", chosen === null ? null : String(chosen));
  setAttr(node, "data-can", can);
  setAttr(node, "data-from", from);
}

/** A card that only shows. */
export function makeShown(card, { flip = card, from = null } = {}) {
  return el("span", { class: "card shown", role: "img", "aria-label": cardName(card), "data-flip": flip, "data-from": from }, picture(face(card)));
}

/** Fetch the faces of the chosen deck while nothing else happens, so that no card arrives blank. */
export function warmUp(cards) {
  const rest = [...cards];
  const next = (deadline) => {
    while (rest.length > 0 && deadline.timeRemaining() > 4) new Image().src = face(rest.pop());
    if (rest.length > 0) idle(next);
  };
  const idle = window.requestIdleCallback ?? ((run) => setTimeout(() => run({ timeRemaining: () => 5 }), 200));
  new Image().src = back();
  idle(next);
}

// A hint in words, and where on the page it points. Which move it names and why comes from the server.

import { cardName, cardSign } from "./cards.js";
import { fill, gettext, listed } from "./i18n.js";

/** The words of a move as `{text, spoken}`: signs for the eye, names for the ear. */
function moveWords(move, words) {
  const said = words?.[move]?.label;
  if (said) return { text: said, spoken: said };
  if (move === "declare") return { text: gettext("Declare"), spoken: gettext("Declare") };
  const [laid, source] = move.split(" > ");
  const cards = laid.split(" ");
  const both = (text, values) => ({ text: fill(text, values(cardSign, (all) => all.join(" "))), spoken: fill(text, values(cardName, listed)) });
  if (!source) return both(gettext("play %(card)s"), (name) => ({ card: name(move) }));
  if (source === "stock") return both(gettext("lay %(cards)s and take from the stock"), (name, join) => ({ cards: join(cards.map(name)) }));
  return both(gettext("lay %(cards)s and take %(card)s"), (name, join) => ({ cards: join(cards.map(name)), card: name(source) }));
}

/** The hint as `{text, spoken}`; `words` are the announcements of a game that has some. */
export function adviceWords(advice, words) {
  const { text, spoken } = moveWords(advice.move, words);
  const whole = (move) => [fill(gettext("Hint: %(move)s."), { move }), ...advice.words].join(" ");
  return { text: whole(text), spoken: whole(spoken) };
}

/** What a hint points at: cards of the hand, an open card, `stock`, and the key of a choice. */
export function pointsAt(move) {
  if (!move) return { hand: [], open: null, choice: null };
  const [laid, source] = move.split(" > ");
  if (source) return { hand: laid.split(" "), open: source, choice: null };
  return /^[2-9TJQKA][CDHS]$/.test(move) ? { hand: [move], open: null, choice: null } : { hand: [], open: null, choice: move };
}

/** Mark on the page what the hint points at. Two equal cards of two packs are marked once. */
export function markAdvice(page, advice) {
  const { hand, open, choice } = pointsAt(advice?.move);
  const left = [...hand];
  const mark = (node, on) => node.toggleAttribute("data-advised", on);
  for (const node of page.querySelectorAll("#hand [data-card]")) {
    const at = left.indexOf(node.dataset.card);
    if (at >= 0) left.splice(at, 1);
    mark(node, at >= 0);
  }
  for (const node of page.querySelectorAll("#open-set [data-card]")) mark(node, node.dataset.card === open);
  for (const node of page.querySelectorAll(".stock")) mark(node, open === "stock");
  for (const node of page.querySelectorAll("#actions [data-key]")) mark(node, node.dataset.key === choice);
}

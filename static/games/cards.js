// Cards: their names in words, their order in a hand and their pictures.

import { fill, gettext } from "./i18n.js";

const RANKS = "23456789TJQKA";
const SUITS = "SHCD"; // black and red in turn, so that neighbours in a sorted hand differ

export const SUIT_SIGN = { S: "♠", H: "♥", C: "♣", D: "♦" };

export function suitName(suit) {
  return { S: gettext("spades"), H: gettext("hearts"), C: gettext("clubs"), D: gettext("diamonds") }[suit];
}

export function rankName(rank) {
  const names = {
    A: gettext("Ace"), K: gettext("King"), Q: gettext("Queen"), J: gettext("Jack"), T: gettext("Ten"),
    9: gettext("Nine"), 8: gettext("Eight"), 7: gettext("Seven"), 6: gettext("Six"), 5: gettext("Five"),
    4: gettext("Four"), 3: gettext("Three"), 2: gettext("Two"),
  };
  return names[rank];
}

/** "Queen of hearts" in the page's language. */
export function cardName(card) {
  return fill(gettext("%(rank)s of %(suit)s"), { rank: rankName(card[0]), suit: suitName(card[1]) });
}

/** "10♦", for small cards and the log. */
export const cardSign = (card) => (card[0] === "T" ? "10" : card[0]) + SUIT_SIGN[card[1]];

export const rankValue = (card) => RANKS.indexOf(card[0]) + 2;

/** What a card counts in Least Score (S2). */
export function points(card) {
  if (card[0] === "A") return 1;
  return Math.min(10, rankValue(card));
}

/** A hand in display order: trumps first, then suit by suit, high cards first. */
export function bySuit(cards, trump = null) {
  const place = (card) => (card[1] === trump ? -1 : SUITS.indexOf(card[1]));
  return [...cards].sort((a, b) => place(a) - place(b) || rankValue(b) - rankValue(a));
}

/** A hand in display order: low ranks first (the ace is low in Least Score). */
export function byRank(cards) {
  const value = (card) => (card[0] === "A" ? 1 : rankValue(card));
  return [...cards].sort((a, b) => value(a) - value(b) || SUITS.indexOf(a[1]) - SUITS.indexOf(b[1]));
}

/** Keys that tell the two equal cards of two packs apart: `7H`, then `7H#2`. */
export function keyed(cards) {
  const seen = new Map();
  return cards.map((card) => {
    const nth = (seen.get(card) ?? 0) + 1;
    seen.set(card, nth);
    return { card, key: nth === 1 ? card : `${card}#${nth}` };
  });
}

/** Choose a deck from the player's wishes; traditional faces need room for their small indices. */
export function deckName({ colours = "four", faces = "big" } = {}, wide = true) {
  return faces === "plain" && wide ? colours : `${colours}-big`;
}

// Which cards may be laid together in Least Score (S4, S5, S6), read from the server's list of legal moves. The page
// judges nothing itself; for cards that are in no legal move it only finds the words that say why.

import { rankValue } from "./cards.js";

const canonical = (cards) => [...cards].sort().join(" ");

/** Turn the list of legal moves into a map: laid cards (sorted) -> {card or "stock" -> the move's own text}. */
export function targetsBySet(legal) {
  const sets = new Map();
  for (const move of legal) {
    const [laid, source] = move.split(" > ");
    if (!source) continue;
    const key = canonical(laid.split(" "));
    if (!sets.has(key)) sets.set(key, new Map());
    sets.get(key).set(source, move);
  }
  return sets;
}

/** The moves that lay exactly `chosen`: a map from what is taken to the move's text, or null. */
export const targetsOf = (legal, chosen) => targetsBySet(legal).get(canonical(chosen)) ?? null;

/** Whether some legal set contains all of `chosen`: more cards can make it one. */
export function canGrow(legal, chosen) {
  for (const key of targetsBySet(legal).keys()) {
    const left = key.split(" ");
    const inside = chosen.every((card) => {
      const at = left.indexOf(card);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
    if (inside) return true;
  }
  return false;
}

/** The code that says best why `chosen` may not be laid. */
export function problem(chosen, options = {}) {
  if (chosen.length === 0) return "no_cards";
  const ranks = chosen.map((card) => card[0]);
  const kinds = new Set(ranks);
  const suits = new Set(chosen.map((card) => card[1]));
  if (chosen.length === 3 && kinds.size === 1) return "three_of_a_kind";
  if (isRun(ranks)) {
    if (chosen.length === 4 && !options.any_run) return "run_of_four";
    return options.runs === "one_suit" && suits.size > 1 ? "mixed_suits" : "not_a_set";
  }
  if (chosen.length === 4 && kinds.size === 2 && [...kinds].every((kind) => ranks.filter((rank) => rank === kind).length === 2)) {
    return "two_pairs";
  }
  if (goesRound(ranks)) return "ace_in_the_middle";
  return suits.size === 1 && chosen.length === 4 ? "short_flush" : "not_a_set";
}

function consecutive(values) {
  const rising = [...values].sort((a, b) => a - b);
  return rising.every((value, index) => index === 0 || value === rising[index - 1] + 1);
}

function isRun(ranks) {
  if (ranks.length < 3) return false;
  const high = ranks.map((rank) => rankValue(rank));
  return consecutive(high) || consecutive(high.map((value) => (value === 14 ? 1 : value)));
}

function goesRound(ranks) {
  if (ranks.length < 3 || !ranks.includes("A") || new Set(ranks).size !== ranks.length) return false;
  const places = ranks.map((rank) => rankValue(rank) % 13); // king 0, ace 1, two 2: the ring of thirteen
  return places.some((start) => consecutive(places.map((place) => (place - start + 13) % 13)));
}

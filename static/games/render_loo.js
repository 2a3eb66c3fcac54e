// 3-Card Loo on the page: plates, the middle (trump, turn-up, pot, miss), the hand and the announcements.

import { bySuit, cardName, suitName, SUIT_SIGN } from "./cards.js";
import { el, patchList, setAttr, setText } from "./dom.js";
import { back, cardLabel, face, makeCard, picture, showCard } from "./faces.js";
import { fill, gettext, listed, ngettext, pgettext } from "./i18n.js";
import { stays } from "./log.js";
import { reason } from "./reasons.js";
import { ring } from "./seats.js";
import { mySeat, myTurn, seatName } from "./state.js";

export const layout = ring;

const WORDS = ["fold", "play", "miss", "defend"];

/** The announcements: the word on the button, what it means, its key and what is said of others. */
export const words = () => ({
  fold: { label: gettext("Fold"), means: gettext("Sit out"), shortcut: "f", said: gettext("folded") },
  play: { label: gettext("Play"), means: gettext("Keep these"), shortcut: "p", said: gettext("in") },
  miss: { label: gettext("Miss"), means: gettext("Swap all, unseen"), shortcut: "m", said: gettext("took the miss") },
  defend: { label: gettext("Defend"), means: gettext("Play the spare hand"), shortcut: "d", said: gettext("defends") },
});

const briefWords = () => ({ fold: gettext("folded"), play: gettext("in"), miss: gettext("miss"), defend: pgettext("small plate", "defends") });

export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** The cards that a seat has played in this deal, in order, with the trick each belongs to (L17). */
export function played(deal, seat) {
  return deal.tricks.flatMap((trick, index) =>
    trick.cards
      .filter(([who]) => who === seat)
      .map(([, card]) => ({
        card,
        won: trick.winner === seat,
        now: index === deal.tricks.length - 1,
      })),
  );
}

const sitsOut = (deal, seat) => (seat.sitting_out && deal && !deal.seats.includes(seat.seat) ? gettext("sits out") : "");

/** What the plate of a seat shows. */
export function plate(frame, seat) {
  const { deal } = frame;
  const { match } = frame.table;
  const net = match?.net?.[String(seat.seat)] ?? 0;
  const said = deal?.announced?.[String(seat.seat)];
  const won = deal?.tricks_won?.[String(seat.seat)] ?? 0;
  const isIn = deal?.in?.includes(seat.seat) ?? false;
  return {
    seat,
    name: seat.name,
    dealer: deal?.dealer === seat.seat,
    turn: deal?.turn === seat.seat,
    out: said === "fold" || (deal && !deal.seats.includes(seat.seat)) || null,
    word: said ? words()[said].said : sitsOut(deal, seat),
    short: said ? briefWords()[said] : sitsOut(deal, seat),
    tone: said === "miss" || said === "defend" ? "miss" : said,
    score: signed(net),
    scoreWords: fill(gettext("net %(net)s"), { net: signed(net) }),
    extra: isIn && deal.phase !== "announce" ? [fill(ngettext("%(n)s trick", "%(n)s tricks", won), { n: won })] : [],
    cards: deal ? played(deal, seat.seat) : [],
  };
}

/** What the player's own plate shows besides: the net result with its name. */
export const ownPlate = (frame, shown) => ({ ...shown, score: shown.scoreWords });

/** Build the middle of the board once. */
export function makeCentre(centre) {
  centre.replaceChildren(
    el("div", { class: "loo-middle" },
      el("div", { class: "turn-up", "data-place": "deck" }),
      el("p", { class: "trump-name" }, el("span", { class: "label" }, gettext("Trump")), el("b", { class: "trump-sign", "aria-hidden": "true" }), el("span", { class: "trump-suit" })),
      el("p", { class: "pot", "data-place": "pot" }, el("span", { class: "label" }, gettext("Pot")), el("b"), el("small")),
      el("div", { class: "miss", "data-place": "miss" }, el("span", { class: "miss-cards", "aria-hidden": "true" }), el("span", { class: "miss-word" }), el("span", { class: "vh miss-names" })),
      el("p", { class: "vh tricks" })),
  );
}

export function showCentre(centre, state) {
  const { frame } = state;
  const { deal } = frame;
  const place = (selector) => centre.querySelector(selector);
  patchList(place(".turn-up"), deal ? [deal.turn_up] : [], {
    key: (card) => card,
    make: (card) => el("span", { class: "card shown", role: "img", "aria-label": fill(gettext("turned up: %(card)s"), { card: cardName(card) }), "data-flip": `up-${card}` }, picture(face(card))),
    update: (node, card) => setAttr(node.firstElementChild, "src", face(card)),
  });
  setText(place(".trump-sign"), deal ? SUIT_SIGN[deal.trump] : "");
  setAttr(place(".trump-sign"), "data-suit", deal?.trump ?? null);
  setText(place(".trump-suit"), deal ? suitName(deal.trump) : "");
  place(".loo-middle").hidden = !deal;
  setText(place(".pot > b"), String(deal ? deal.pot : frame.table.match?.pot ?? 0));
  setText(place(".pot > small"), deal && deal.phase !== "over" ? fill(gettext("%(n)s a trick"), { n: deal.third }) : "");
  showMiss(place(".miss"), frame);
  setText(place(".tricks"), deal ? tricksWords(frame) : "");
}

/** The tricks for who cannot see whose cards lie in which: in the order in which they were played, with who won each. */
export function tricksWords({ table, deal }) {
  const name = (seat) => seatName({ table }, seat);
  return deal.tricks.filter(({ cards }) => cards.length > 0).map(({ cards, winner }, index) => {
    const values = { n: index + 1, cards: cards.map(([seat, card]) => `${name(seat)} ${cardName(card)}`).join(", "), name: winner === null ? "" : name(winner) };
    return fill(winner === null ? gettext("Trick %(n)s: %(cards)s.") : gettext("Trick %(n)s: %(cards)s. Won by %(name)s."), values);
  }).join(" ");
}

function showMiss(node, frame) {
  const { deal } = frame;
  const shown = deal?.miss_cards ?? null;
  const items = !deal || (deal.miss !== "hidden" && !shown) ? [] : shown ?? ["b1", "b2", "b3"];
  patchList(node.querySelector(".miss-cards"), items, {
    key: (item) => item,
    make: (item) => el("span", { class: "card shown", "data-flip": `miss-${item}` }, picture(shown ? face(item) : back())),
    update: () => {},
  });
  setText(node.querySelector(".miss-word"), deal ? missWords(frame) : "");
  setText(node.querySelector(".miss-names"), shown ? listed(shown.map(cardName)) : "");
}

function missWords({ table, deal }) {
  const name = (seat) => seatName({ table }, seat);
  if (deal.defender) return fill(gettext("Miss defended by %(name)s"), { name: name(deal.defender) });
  if (deal.miss_taker) return fill(gettext("Miss taken by %(name)s"), { name: name(deal.miss_taker) });
  return deal.miss_cards ? gettext("The miss was") : gettext("Miss still free");
}

/** What the hand shows: `{card, key, can}` for every card held. */
export function handItems(state) {
  const { deal } = state.frame;
  const mine = deal?.hand ?? [];
  const turn = myTurn(state) && deal.phase === "play";
  const legal = new Set(deal?.legal ?? []);
  return bySuit(mine, deal?.trump).map((card) => ({
    card,
    key: card,
    can: !turn ? "idle" : legal.has(card) ? "playable" : "refused",
    words: card[1] === deal.trump ? gettext("trump") : "",
    why: turn && !legal.has(card) && deal.refused?.[card] ? reason(deal.refused[card]) : "",
  }));
}

export function showHand(hand, state, act) {
  patchList(hand, handItems(state), {
    key: (item) => item.key,
    make: (item) => {
      const node = makeCard(item.card, item.key);
      node.addEventListener("click", () => press(act.state(), item.card, act));
      return node;
    },
    update: (node, item) => {
      showCard(node, { ...item, from: "deck", label: cardLabel(item) });
      setAttr(node, "data-sent", state.pending?.m === item.card);
    },
  });
}

function press(state, card, act) {
  const { deal } = state.frame;
  if (state.pending) return;
  if (!myTurn(state)) act.explain("not_your_turn", reason("not_your_turn"));
  else if (deal.phase === "announce") act.explain("announce", gettext("First say whether you play."));
  else if (deal.legal.includes(card)) act.move(card);
  else act.explain(deal.refused[card], reason(deal.refused[card]));
}

/** The buttons under the hand: announcements while announcing. */
export function actionItems(state) {
  const { deal } = state.frame;
  if (!deal || deal.phase !== "announce" || deal.turn !== mySeat(state) || mySeat(state) === null) return [];
  const legal = new Set(deal.legal ?? []);
  const refused = deal.refused ?? {};
  return WORDS.filter((word) => legal.has(word) || (refused[word] && word !== "defend")).map((word) => ({ key: word, word, refused: refused[word] ?? null, ...words()[word] }));
}

export function showActions(node, state, act) {
  patchList(node, actionItems(state), {
    key: (item) => item.key,
    make: (item) => {
      const button = el("button", { type: "button", class: `act act-${item.word}`, "aria-keyshortcuts": item.shortcut }, el("b"), el("small"), el("span", { class: "vh" }));
      button.addEventListener("click", () => {
        const { legal, refused } = act.state().frame.deal;
        if (legal?.includes(item.word)) act.move(item.word);
        else act.explain(refused?.[item.word] ?? "not_your_turn", reason(refused?.[item.word] ?? "not_your_turn"));
      });
      return button;
    },
    update: (button, item) => {
      setText(button.firstElementChild, item.label);
      setText(button.querySelector("small"), item.means);
      setText(button.lastElementChild, item.refused ? reason(item.refused) : "");
      setAttr(button, "aria-disabled", item.refused || state.pending ? "true" : null);
      setAttr(button, "data-sent", state.pending?.m === item.word);
    },
  });
}

/** What the player is to do now, or why the own hand is empty. */
export function hint(state) {
  const { deal } = state.frame;
  const seat = mySeat(state);
  if (seat === null || !deal || deal.phase === "over") return "";
  if (deal.turn === seat) {
    if (deal.phase === "announce") return gettext("Your turn: will you play?");
    return deal.tricks.at(-1)?.winner === null ? gettext("Your turn: play a card.") : gettext("Your turn: lead a card.");
  }
  if (deal.announced[String(seat)] === "fold") return gettext("You folded. The next deal comes soon.");
  return "";
}

/** Keys of this game: `[key, words, run]`. */
export function keys(act) {
  return Object.entries(words()).map(([word, { shortcut, label, means }]) => [shortcut, `${label}: ${means}`, () => act.press(word)]);
}

/** The end of a deal: a headline and one row a seat. */
export function result(frame) {
  const { deal, table } = frame;
  const { outcome } = deal;
  const name = (seat) => seatName(frame, seat);
  const rows = deal.seats
    .filter((seat) => deal.in.includes(seat) || outcome.deltas[String(seat)] !== 0)
    .map((seat) => ({
      seat,
      name: name(seat),
      word: rowWord(deal, seat),
      change: signed(outcome.deltas[String(seat)]),
      total: signed(table.match?.net?.[String(seat)] ?? 0),
      best: outcome.tricks[String(seat)] > 0,
    }))
    .sort((a, b) => outcome.deltas[String(b.seat)] - outcome.deltas[String(a.seat)]);
  return {
    headline: headline(deal, name),
    columns: [gettext("Player"), gettext("Result"), gettext("Stakes"), gettext("Net")],
    rows,
    foot: `${deal.tricks.length > 0 ? looedWords(deal, name) : ""} ${stays(outcome.pot)}`.trim(),
  };
}

function rowWord(deal, seat) {
  const tricks = deal.outcome.tricks[String(seat)] ?? 0;
  if (deal.outcome.looed.includes(seat)) return gettext("looed");
  if (deal.defender === seat) return fill(ngettext("defended, %(n)s trick", "defended, %(n)s tricks", tricks), { n: tricks });
  if (tricks > 0) return fill(ngettext("%(n)s trick", "%(n)s tricks", tricks), { n: tricks });
  return deal.in.includes(seat) ? gettext("took the pot") : deal.dealer === seat ? gettext("dealt") : "";
}

function headline(deal, name) {
  const { outcome } = deal;
  if (deal.tricks.length === 0) {
    const winner = deal.in[0] ?? deal.dealer;
    return fill(gettext("Everybody else folded: %(name)s takes the pot"), { name: name(winner) });
  }
  const won = (seat) => outcome.tricks[String(seat)];
  const winners = deal.seats.filter((seat) => won(seat) > 0).sort((a, b) => won(b) - won(a));
  return listed(winners.map((seat) => fill(ngettext("%(name)s takes %(n)s trick", "%(name)s takes %(n)s tricks", won(seat)), { name: name(seat), n: won(seat) })));
}

function looedWords({ outcome }, name) {
  const { looed } = outcome;
  if (looed.length === 0) return gettext("Nobody is looed.");
  if (looed.length > 3) return fill(ngettext("%(n)s player is looed.", "%(n)s players are looed.", looed.length), { n: looed.length });
  return fill(gettext("Looed: %(names)s."), { names: listed(looed.map(name)) });
}

// Least Score on the page: plates, the middle (open set and stock), the hand that is chosen from, and declaring.

import { byRank, cardName, keyed } from "./cards.js";
import { el, patchList, setAttr, setText } from "./dom.js";
import { back, makeCard, picture, showCard } from "./faces.js";
import { fill, gettext, listed, ngettext } from "./i18n.js";
import { reason } from "./reasons.js";
import { onItsSide, strip } from "./seats.js";
import { canGrow, problem, targetsOf } from "./sets.js";
import { mySeat, myTurn, seatName } from "./state.js";

/** Rows of plates above the middle: five across where a phone on its side has the whole width for who watches. */
export const layout = (n, watching = false) => strip(n, watching && onItsSide().matches ? 5 : 3);

/** What this page's player has chosen so far; it belongs to the page, not to the table. */
const choice = { keys: new Set(), declaring: false, at: -1 };

/** Forget chosen cards that are no longer held, and the question about declaring once the table moved on. */
function settleChoice(state) {
  const held = new Set(handItems(state, true).map((item) => item.key));
  for (const key of choice.keys) if (!held.has(key)) choice.keys.delete(key);
  if (choice.at !== state.v) choice.declaring = false;
  choice.at = state.v;
}

const chosenCards = (state) => keyed(byRank(state.frame.deal?.hand ?? [])).filter(({ key }) => choice.keys.has(key)).map(({ card }) => card);

/** What the plate of a seat shows. */
export function plate(frame, seat) {
  const { deal, table } = frame;
  const id = String(seat.seat);
  const total = table.match?.totals?.[id] ?? 0;
  const out = table.match ? !table.match.in_play.includes(seat.seat) : null;
  const held = deal?.hand_sizes?.[id] ?? 0;
  return {
    seat,
    name: seat.name,
    dealer: deal?.dealer === seat.seat,
    turn: deal?.turn === seat.seat,
    out: out || null,
    word: out ? gettext("knocked out") : lastWords(frame, seat.seat),
    short: out ? gettext("out") : "",
    tone: out ? "fold" : null,
    score: String(total),
    scoreWords: fill(ngettext("%(n)s point in all", "%(n)s points in all", total), { n: total }),
    extra: deal && !out ? [fill(ngettext("holds %(n)s card", "holds %(n)s cards", held), { n: held })] : [],
    cards: deal && !out ? heldCards(deal, id) : [],
    cardsWords: deal?.hands ? gettext("hand %(cards)s") : gettext("took openly %(cards)s"),
  };
}

/** The cards of a seat: after the show its hand, before it backs, with the cards it took openly turned up (S18). */
function heldCards(deal, id) {
  if (deal.hands?.[id]) return keyed(deal.hands[id]).map(({ card, key }) => ({ card, key, flip: key }));
  const known = keyed(deal.known?.[id] ?? []).map(({ card, key }) => ({ card, key, flip: key }));
  const hidden = Math.max(0, (deal.hand_sizes?.[id] ?? 0) - known.length);
  return [...known, ...Array.from({ length: hidden }, (_, k) => ({ key: `back-${k}`, back: true }))];
}

function lastWords({ deal }, seat) {
  if (deal?.last?.seat !== seat) return "";
  const { move } = deal.last;
  if (move === "declare") return gettext("declared");
  return move.endsWith("> stock") ? gettext("took from the stock") : gettext("took an open card");
}

export function makeCentre(centre, act) {
  const stock = el("button", { type: "button", class: "card stock", "data-place": "stock", "aria-label": gettext("Stock") }, picture(back()), el("span", { class: "stock-count", "aria-hidden": "true" }));
  stock.addEventListener("click", () => complete(act, "stock"));
  const open = el("div", { class: "open-set", id: "open-set", role: "group", "data-place": "open", "aria-label": gettext("Open cards") });
  centre.replaceChildren(
    el("div", { class: "least-middle" }, el("div", { class: "pile" }, stock, el("p", { class: "pile-words" })), el("div", { class: "pile" }, open, el("p", { class: "pile-words" }))),
    el("p", { class: "circuit" }),
  );
  act.roving(open);
}

export function showCentre(centre, state, act) {
  settleChoice(state);
  const { deal } = state.frame;
  const targets = deal && myTurn(state) ? targetsOf(deal.legal, chosenCards(state)) : null;
  const [stockPile, openPile] = centre.querySelectorAll(".pile");
  centre.querySelector(".least-middle").hidden = !deal;
  if (!deal) return;
  showStock(stockPile, deal, targets);
  patchList(openPile.querySelector(".open-set"), keyed(deal.open), {
    key: (item) => item.key,
    make: (item) => {
      const node = makeCard(item.card, item.key);
      node.addEventListener("click", () => complete(act, item.card));
      return node;
    },
    update: (node, item) => {
      const can = targets?.has(item.card) ? "playable" : "idle";
      const verb = can === "playable" ? gettext("lay and take %(card)s") : gettext("open: %(card)s");
      const label = fill(verb, { card: cardName(item.card) });
      showCard(node, { card: item.card, can, from: deal.open_by ? `seat-${deal.open_by}` : "stock", label });
      setAttr(node, "data-sent", state.pending?.m.endsWith(`> ${item.card}`));
    },
  });
  const by = deal.open_by ? fill(gettext("Laid by %(name)s"), { name: seatName(state.frame, deal.open_by) }) : gettext("Turned up");
  setText(openPile.querySelector(".pile-words"), by);
  setText(centre.querySelector(".circuit"), deal.show_in ? fill(ngettext("Hands are shown after this round at the latest.", "Hands are shown within %(n)s rounds.", deal.show_in), { n: deal.show_in }) : "");
  act.settle(openPile.querySelector(".open-set"));
}

function showStock(pile, deal, targets) {
  const stock = pile.querySelector(".stock");
  const can = targets?.has("stock") ?? false;
  const count = fill(ngettext("%(n)s card", "%(n)s cards", deal.stock), { n: deal.stock });
  setAttr(stock, "data-can", can ? "playable" : "idle");
  setAttr(stock, "aria-disabled", can ? null : "true");
  setAttr(stock, "aria-keyshortcuts", "s");
  setAttr(stock, "aria-label", fill(can ? gettext("lay and take from the stock, %(count)s") : gettext("stock, %(count)s"), { count }));
  setText(pile.querySelector(".stock-count"), String(deal.stock));
  setText(pile.querySelector(".pile-words"), gettext("Stock"));
}

/** Finish the turn: lay the chosen cards and take `source`, or say why that is not possible. */
function complete(act, source) {
  const state = act.state();
  const { deal, table } = state.frame;
  if (state.pending) return;
  if (!myTurn(state)) {
    act.explain("not_your_turn", reason("not_your_turn"));
    return;
  }
  const chosen = chosenCards(state);
  const targets = targetsOf(deal.legal, chosen);
  const code = targets ? (targets.has(source) ? null : "not_an_end") : problem(chosen, table.match?.options);
  if (code) act.explain(code, reason(code));
  else act.move(targets.get(source));
}

export function handItems(state, anyTime = false) {
  const { deal } = state.frame;
  const turn = myTurn(state);
  const chosen = anyTime ? [] : chosenCards(state);
  return keyed(byRank(deal?.hand ?? [])).map(({ card, key }) => {
    const on = choice.keys.has(key);
    const fits = !turn || anyTime || on || canGrow(deal.legal, [...chosen, card]);
    return { card, key, on, can: turn ? (fits ? "playable" : "refused") : "idle" };
  });
}

export function showHand(hand, state, act) {
  settleChoice(state);
  patchList(hand, handItems(state), {
    key: (item) => item.key,
    make: (item) => {
      const node = makeCard(item.card, item.key);
      node.addEventListener("click", () => toggle(item.key, act));
      return node;
    },
    update: (node, item) => {
      showCard(node, { ...item, chosen: item.on, from: "stock", label: handLabel(item) });
      setAttr(node, "aria-disabled", null);
      setAttr(node, "data-sent", Boolean(state.pending) && item.on);
    },
  });
}

/** That a card is chosen is told by the button itself, which is pressed then. */
export function handLabel({ card, can }) {
  return can === "refused" ? fill(gettext("%(card)s, does not fit the chosen cards"), { card: cardName(card) }) : cardName(card);
}

/** Choose or put back a card; one that does not fit the chosen ones starts a new choice. */
function toggle(key, act) {
  const state = act.state();
  if (state.pending || !state.frame.deal || state.frame.deal.phase === "over") return;
  if (choice.keys.has(key)) choice.keys.delete(key);
  else {
    const item = handItems(state).find((each) => each.key === key);
    if (item?.can === "refused") {
      choice.keys.clear();
      act.say(gettext("New choice"));
    }
    choice.keys.add(key);
  }
  choice.declaring = false;
  act.refresh();
  act.say(hint(state));
}

export function showActions(node, state, act) {
  patchList(node, actionItems(state), {
    key: (item) => item.key,
    make: (item) => {
      const button = el("button", { type: "button", class: `act act-${item.key}`, "aria-keyshortcuts": item.shortcut ?? null }, el("b"), el("small"));
      button.addEventListener("click", () => item.run(act));
      return button;
    },
    update: (button, item) => {
      setText(button.firstElementChild, item.label);
      setText(button.lastElementChild, item.means);
      setAttr(button, "aria-disabled", item.refused || state.pending ? "true" : null);
    },
  });
}

/** Declaring takes two presses: the second one says the total. */
export function actionItems(state) {
  const { deal } = state.frame;
  if (!myTurn(state) || deal.phase !== "turn") return [];
  if (choice.declaring) {
    return [
      { key: "yes", label: fill(gettext("Declare %(n)s"), { n: deal.total }), means: gettext("All hands are shown"), run: (act) => act.move("declare") },
      { key: "no", label: gettext("Not yet"), means: gettext("Go on choosing"), run: (act) => ask(act, false) },
    ];
  }
  const refused = deal.declare_allowed ? null : deal.refused.declare;
  const means = refused ? reason(refused) : gettext("Show all hands");
  return [{ key: "declare", shortcut: "d", label: gettext("Declare"), means, refused, run: (act) => (refusedNow(act) ? act.explain(refusedNow(act), reason(refusedNow(act))) : ask(act, true)) }];
}

const refusedNow = (act) => act.state().frame.deal?.refused?.declare ?? null;

function ask(act, on) {
  choice.declaring = on;
  act.refresh();
  document.querySelector(on ? ".act-yes" : ".act-declare")?.focus();
}

export function hint(state) {
  const { deal, table } = state.frame;
  const seat = mySeat(state);
  if (seat === null || !deal || deal.phase === "over" || deal.hand === null) return "";
  if (!myTurn(state)) return "";
  const chosen = chosenCards(state);
  if (chosen.length === 0) return gettext("Your turn: choose what to lay.");
  if (targetsOf(deal.legal, chosen)) return gettext("Now take an open card or the stock.");
  if (canGrow(deal.legal, chosen)) return gettext("More cards can make a set.");
  return reason(problem(chosen, table.match?.options));
}

/** What the player's own plate shows instead: the own total in hand (S18) and the points so far; the hand lies below. */
export function ownPlate({ deal, table }, shown) {
  const inHand = deal?.total === null || deal?.total === undefined ? "" : fill(gettext("In hand: %(n)s"), { n: deal.total });
  const total = table.match?.totals?.[String(shown.seat.seat)] ?? 0;
  const extra = inHand && !shown.out ? [...shown.extra, inHand] : shown.extra;
  return { ...shown, cards: [], extra, short: shown.out ? shown.short : inHand, score: fill(gettext("Total: %(n)s"), { n: total }) };
}

export function keys(act) {
  return [
    ["s", gettext("Lay the chosen cards and take from the stock"), () => complete(act, "stock")],
    ["o", gettext("Go to the open cards"), () => document.querySelector("#open-set button[tabindex='0'], #open-set button")?.focus()],
    ["d", gettext("Declare"), () => act.press("declare")],
  ];
}

export function result(frame) {
  const { deal, table } = frame;
  const { outcome } = deal;
  const name = (seat) => seatName(frame, seat);
  const rows = deal.seats
    .map((seat) => ({
      seat,
      name: name(seat),
      word: String(outcome.totals[String(seat)]),
      cards: deal.hands?.[String(seat)] ?? null,
      change: outcome.scores[String(seat)] === 0 ? "0" : `+${outcome.scores[String(seat)]}`,
      total: String(table.match?.totals?.[String(seat)] ?? 0),
      best: outcome.scores[String(seat)] === 0,
    }))
    .sort((a, b) => outcome.totals[String(a.seat)] - outcome.totals[String(b.seat)]);
  const out = deal.seats.filter((seat) => table.match && !table.match.in_play.includes(seat)).map(name);
  return {
    headline: headline(deal, name),
    columns: [gettext("Player"), gettext("Hand"), gettext("Points"), gettext("Total")],
    rows,
    foot: out.length > 0 ? fill(gettext("Knocked out: %(names)s."), { names: listed(out) }) : "",
  };
}

function headline({ outcome }, name) {
  if (outcome.void) return gettext("No card was left to draw: the deal is void and is dealt again.");
  if (outcome.declarer === null) return gettext("The hands were shown: the lowest score nothing.");
  const values = { name: name(outcome.declarer), n: outcome.totals[String(outcome.declarer)] };
  return outcome.success ? fill(gettext("%(name)s declared %(n)s and was lowest"), values) : fill(gettext("%(name)s declared %(n)s and was caught"), values);
}

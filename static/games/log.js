// Events in words: one line each, for the log, the line under the board and the screen reader.

import { byRank, bySuit, cardName, cardSign, suitName } from "./cards.js";
import { spoken } from "./clock.js";
import { fill, gettext, listed, ngettext } from "./i18n.js";
import { seatName } from "./state.js";

/**
 * Return the line for `event` as `{text, spoken, quiet}`, or null when it says nothing new to a person. `spoken` is empty
 * where the page says the same at the same moment in another way; `brief` is what the line under the board has room for.
 */
export function lineFor(event, frame) {
  const make = LINES[event.type];
  const made = make ? make(event, speaker(frame)) : null;
  if (!made) return null;
  const line = typeof made === "string" ? { text: made } : made;
  return { spoken: line.text, quiet: false, ...line };
}

function speaker(frame) {
  const you = frame.table.you;
  const name = (seat) => seatName(frame, seat);
  return {
    you,
    name,
    names: (seats) => listed(seats.map(name)),
    hand: (cards) => inOrder(cards, frame),
    /** The player's own line or the one about others: languages say "you" with another form of the verb. */
    tell: (seat, mine, theirs, values = {}) => fill(seat === you ? mine : theirs, { name: name(seat), ...values }),
  };
}

/** The cards in the order in which the page shows them in a hand. */
const inOrder = (cards, { deal }) => (deal?.trump ? bySuit(cards, deal.trump) : byRank(cards));

/** A line with a card in it: a short sign for the eye, the card's name for the ear. */
function withCard(text, card) {
  return { text: fill(text, { card: cardSign(card) }), spoken: fill(text, { card: cardName(card) }) };
}

const stakes = (n) => fill(ngettext("%(n)s stake", "%(n)s stakes", n), { n });

const ANNOUNCED = {
  fold: () => [gettext("You fold."), gettext("%(name)s folds.")],
  play: () => [gettext("You play."), gettext("%(name)s plays.")],
  miss: () => [gettext("You take the miss."), gettext("%(name)s takes the miss.")],
  defend: () => [gettext("You defend the miss."), gettext("%(name)s defends the miss.")],
};

const PAID = {
  ante: () => [gettext("You pay %(stakes)s to the pot."), gettext("%(name)s pays %(stakes)s to the pot.")],
  entry: () => [gettext("You pay the entry of %(stakes)s."), gettext("%(name)s pays the entry of %(stakes)s.")],
  loo: () => [gettext("You are looed and pay %(stakes)s."), gettext("%(name)s is looed and pays %(stakes)s.")],
  trick: () => [gettext("You win %(stakes)s for tricks."), gettext("%(name)s wins %(stakes)s for tricks.")],
  pot: () => [gettext("You take the pot of %(stakes)s."), gettext("%(name)s takes the pot of %(stakes)s.")],
  prize: () => [gettext("You win the prize of %(stakes)s."), gettext("%(name)s wins the prize of %(stakes)s.")],
  split: () => [gettext("You get %(stakes)s of the last pot."), gettext("%(name)s gets %(stakes)s of the last pot.")],
};

const LINES = {
  deal: (event, { name, names }) => {
    const deals = fill(gettext("Deal %(n)s. %(name)s deals."), { n: event.number, name: name(event.dealer) });
    const out = event.sat_out ?? [];
    return out.length === 0 ? deals : `${deals} ${fill(ngettext("%(names)s is not dealt in.", "%(names)s are not dealt in.", out.length), { names: names(out) })}`;
  },
  turn_up: (event) => ({
    text: fill(gettext("Turned up: %(card)s. Trump: %(suit)s."), { card: cardSign(event.card), suit: suitName(event.trump) }),
    spoken: fill(gettext("Turned up: %(card)s. Trump: %(suit)s."), { card: cardName(event.card), suit: suitName(event.trump) }),
  }),
  announce: (event, { tell }) => tell(event.seat, ...ANNOUNCED[event.move]()),
  taken_miss: ownHand,
  defend: ownHand,
  play_begins: (event, { tell, you }) => heardElsewhere(tell(event.leader, gettext("You lead."), gettext("%(name)s leads.")), event.leader === you),
  card: (event, { tell }) => withCard(tell(event.seat, gettext("You play %(card)s."), gettext("%(name)s plays %(card)s.")), event.card),
  trick: (event, { tell }) => tell(event.winner, gettext("You win trick %(n)s."), gettext("%(name)s wins trick %(n)s."), { n: event.number }),
  stakes: paid,
  dealt: dealtWords,
  open: (event) => withCard(gettext("Turned up: %(card)s."), event.card),
  discard: (event, { tell }) => ({
    text: tell(event.seat, gettext("You lay %(cards)s."), gettext("%(name)s lays %(cards)s."), { cards: event.cards.map(cardSign).join(" ") }),
    spoken: tell(event.seat, gettext("You lay %(cards)s."), gettext("%(name)s lays %(cards)s."), { cards: listed(event.cards.map(cardName)) }),
  }),
  take: taken,
  shuffle: (event) => fill(ngettext("The stock is shuffled anew: %(n)s card.", "The stock is shuffled anew: %(n)s cards.", event.count), { n: event.count }),
  show_soon: (event) => fill(ngettext("The hands are shown after this round at the latest.", "The hands are shown within %(n)s rounds.", event.show_in), { n: event.show_in }),
  declare: (event, { tell }) => ({ ...heardElsewhere(tell(event.seat, gettext("You declare."), gettext("%(name)s declares."))), quiet: true }),
  show: (event, { name, hand }) => {
    const hands = Object.entries(event.hands).map(([seat, cards]) => `${name(Number(seat))} ${hand(cards).map(cardSign).join(" ")}`);
    return { ...heardElsewhere(fill(gettext("The hands: %(hands)s."), { hands: hands.join("; ") })), quiet: true };
  },
  deal_over: dealOver,
  deal_scored: (event) => (event.pot > 0 ? { text: stays(event.pot), quiet: true } : null),
  totals: (event, { name }) => ({ text: fill(gettext("Points in all: %(points)s."), { points: bySeat(event.totals, name) }), quiet: true }),
  knocked_out: (event, { names }) => fill(gettext("Knocked out: %(names)s."), { names: names(event.seats) }),
  final: (event, { names }) => {
    const first = event.ranking.filter(([place]) => place === 1).map(([, seat]) => seat);
    return first.length > 0 ? fill(gettext("The match is over. First: %(names)s."), { names: names(first) }) : gettext("The match is over.");
  },
  stand_in: (event, { tell }) => (event.asked
    ? tell(event.seat, gettext("A bot plays for you until you take your seat back."), gettext("%(name)s lets a bot play for them."))
    : tell(event.seat, gettext("You were away: a bot plays for you until you take your seat back."), gettext("%(name)s is away: a bot plays for them."))),
  back: (event, { tell }) => tell(event.seat, gettext("You play again yourself."), gettext("%(name)s plays again.")),
  left: (event, { tell }) => (event.why === "sat_out"
    ? tell(event.seat, gettext("You sat out too long: the seat counts as left."), gettext("%(name)s sat out too long: the seat counts as left."))
    : tell(event.seat, gettext("You left the table."), gettext("%(name)s left the table; a bot plays on."))),
  pause_offered: (event, { tell }) => heardElsewhere(tell(event.seat, gettext("You offer a pause."), gettext("%(name)s offers a pause."))),
  pause_agreed: (event, { tell }) => ({ text: tell(event.seat, gettext("You agree to the pause."), gettext("%(name)s agrees to the pause.")), quiet: true }),
  pause_declined: (event, { tell }) => tell(event.seat, gettext("You want no pause now."), gettext("%(name)s wants no pause now.")),
  pause_lapsed: () => ({ text: gettext("The offer of a pause has lapsed."), quiet: true }),
  paused: (event) => heardElsewhere(fill(ngettext("The match is paused for up to %(n)s minute.", "The match is paused for up to %(n)s minutes.", event.seconds / 60), { n: event.seconds / 60 })),
  resumed: (event, { tell }) => (event.seat === null
    ? gettext("The pause is over.")
    : tell(event.seat, gettext("You end the pause."), gettext("%(name)s ends the pause."))),
  sits_out: (event, { tell, you }) => heardElsewhere(tell(event.seat, gettext("You sit out from the next deal on."), gettext("%(name)s sits out from the next deal on.")), event.seat === you),
  sits_in: (event, { tell }) => (event.why === "needed"
    ? tell(event.seat, gettext("You are dealt in again: too few were left without you."), gettext("%(name)s is dealt in again: too few were left."))
    : tell(event.seat, gettext("You are dealt in again."), gettext("%(name)s is dealt in again."))),
  ended_early: (event, { tell }) => tell(event.seat, gettext("You end the match: nobody else plays any more."), gettext("%(name)s ends the match: nobody else plays any more.")),
  deserted: () => gettext("Nobody has been here for a long time."),
  again: (event, { tell }) => tell(event.seat, gettext("You play again."), gettext("%(name)s plays again.")),
  outage: (event, { tell }) => ({ text: tell(event.seat, gettext("The server was away: you get %(time)s back."), gettext("The server was away: %(name)s gets %(time)s back."), { time: spoken(event.ms) }), quiet: true }),
  ready: (event, { tell }) => ({ text: tell(event.seat, gettext("You are ready."), gettext("%(name)s is ready.")), quiet: true }),
  nonce: (event, { tell }) => ({ text: tell(event.seat, gettext("You changed your number for the shuffle."), gettext("%(name)s changed their number for the shuffle.")), quiet: true }),
  closed: () => gettext("The table was closed."),
};

/** A line that is not spoken (`when`), because the choices, a notice or the result say it at the same moment. */
function heardElsewhere(text, when = true) {
  return when ? { text, spoken: "" } : { text };
}

function ownHand(event, { hand }) {
  return event.hand ? withHand(gettext("Your cards now: %(cards)s."), hand(event.hand)) : null;
}

function dealtWords(event, { hand }) {
  return event.hand ? withHand(gettext("Your cards: %(cards)s."), hand(event.hand)) : null;
}

function withHand(text, cards) {
  return { text: fill(text, { cards: cards.map(cardSign).join(" ") }), spoken: fill(text, { cards: listed(cards.map(cardName)) }) };
}

/** What stays in the pot after a deal of 3-Card Loo. */
export const stays = (n) => fill(ngettext("%(n)s stake stays in the pot.", "%(n)s stakes stay in the pot.", n), { n });

/** Numbers by seat, as "Mari 0, Jaan 6 and Kadri 7". */
const bySeat = (numbers, name) => listed(Object.entries(numbers).map(([seat, n]) => `${name(Number(seat))} ${n}`));

function paid(event, { tell, name }) {
  const who = event.from === 0 ? event.to : event.from;
  if (event.from !== 0 && event.to !== 0) {
    return fill(gettext("%(payer)s pays %(name)s %(stakes)s."), { payer: name(event.from), name: name(event.to), stakes: stakes(event.amount) });
  }
  const texts = PAID[event.reason];
  return texts ? { text: tell(who, ...texts(), { stakes: stakes(event.amount) }), quiet: event.reason === "split" || event.reason === "entry" } : null;
}

function taken(event, { tell, you }) {
  if (event.from === "open") {
    return withCard(tell(event.seat, gettext("You take %(card)s."), gettext("%(name)s takes %(card)s.")), event.card);
  }
  if (event.seat === you && event.card) return withCard(gettext("You draw %(card)s from the stock."), event.card);
  return tell(event.seat, gettext("You draw from the stock."), gettext("%(name)s draws from the stock."));
}

function dealOver(event, { tell, name, hand }) {
  if (!event.scores) {
    const over = gettext("The deal is over.");
    if (!event.miss) return { text: over, quiet: true };
    const miss = withHand(gettext("The miss was %(cards)s."), hand(event.miss));
    return { text: `${over} ${miss.text}`, spoken: `${over} ${miss.spoken}`, quiet: true };
  }
  if (event.void) return gettext("No card is left to draw: the deal is void.");
  const brief = outcomeWords(event, { tell, name });
  return { text: `${brief} ${fill(gettext("Points: %(points)s."), { points: bySeat(event.scores, name) })}`, brief };
}

function outcomeWords(event, { tell, name }) {
  if (event.declarer === null) return gettext("The hands are shown.");
  const values = { n: event.totals[String(event.declarer)], name: name(event.declarer) };
  return event.success
    ? tell(event.declarer, gettext("You declared %(n)s and are lowest."), gettext("%(name)s declared %(n)s and is lowest."), values)
    : tell(event.declarer, gettext("You declared %(n)s and are caught."), gettext("%(name)s declared %(n)s and is caught."), values);
}

const ONE_LINE = 40; // characters that a phone shows without cutting
const SUIT = 1.6; // a suit is about so many of them wide

/** The words under the board after some events: the last two things that happened if they fit, else the last. */
export function summary(lines) {
  const texts = lines.filter((line) => !line.quiet).map((line) => line.brief ?? line.text);
  const two = texts.slice(-2).join(" ");
  const suits = two.match(/[♣♦♥♠]/gu)?.length ?? 0;
  return two.length + suits * (SUIT - 1) <= ONE_LINE ? two : texts.at(-1) ?? "";
}

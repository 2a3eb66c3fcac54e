// What the table page says of a deal: frames and their events in (JSON), its words out, in the language of a catalogue.

import { readFileSync } from "node:fs";

import { cardName, cardSign } from "../../static/games/cards.js";
import { cardLabel } from "../../static/games/faces.js";
import { lineFor } from "../../static/games/log.js";
import { reason } from "../../static/games/reasons.js";
import * as least from "../../static/games/render_least.js";
import * as loo from "../../static/games/render_loo.js";
import { sentence } from "../../static/games/seats.js";
import { gettext } from "../../static/games/i18n.js";

const { language, catalogue, game, steps } = JSON.parse(readFileSync(0, "utf8"));
const found = (text, place = 0) => catalogue[text]?.[place] ?? text;
Object.assign(globalThis, {
  document: { documentElement: { lang: language } },
  gettext: (text) => found(text),
  ngettext: (one, many, n) => (catalogue[one] ? found(one, n === 1 ? 0 : 1) : n === 1 ? one : many),
  pgettext: (context, text) => catalogue[`${context}\u0004${text}`]?.[0] ?? text,
});
const drawn = { three_card_loo: loo, least_score: least }[game];

const words = ({ frame, events }) => {
  const state = { v: 1, frame, events, pending: null, refusal: null };
  const you = frame.table.seats.find(({ seat }) => seat === frame.table.you);
  const plates = frame.table.seats.map((seat) => [seat.seat, sentence(drawn.plate(frame, seat))]);
  return {
    lines: events.map((event) => lineFor(event, frame)),
    plates: Object.fromEntries(plates),
    own: you ? sentence(drawn.ownPlate(frame, drawn.plate(frame, you))) : "",
    hand: frame.deal.hand ? drawn.handItems(state).map((item) => [item.card, game === "three_card_loo" ? cardLabel(item) : least.handLabel(item)]) : [],
    hint: drawn.hint(state),
    choices: drawn.actionItems(state).map((item) => item.key),
    tricks: game === "three_card_loo" ? loo.tricksWords(frame) : "",
    result: frame.deal.outcome ? drawn.result(frame) : null,
  };
};

const cards = [..."CDHS"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
const codes = [...new Set(steps.flatMap(({ frame }) => Object.values(frame.deal.refused ?? {})))];
process.stdout.write(JSON.stringify({
  names: Object.fromEntries(cards.map((card) => [card, cardName(card)])),
  signs: Object.fromEntries(cards.map((card) => [card, cardSign(card)])),
  reasons: Object.fromEntries(codes.map((code) => [code, reason(code)])),
  marks: { dealer: gettext("dealer"), turn: gettext("on turn") },
  steps: steps.map(words),
}));

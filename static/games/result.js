// The end of a deal and of a match, in words and a short table.

import { byRank, cardName, keyed } from "./cards.js";
import { el } from "./dom.js";
import { fill, gettext, listed } from "./i18n.js";
import { makeMini } from "./seats.js";
import { seatName } from "./state.js";

/** What the panel is about, or null: a deal's end, the match's end. The same key is never built twice. */
export function panelOf(frame) {
  const { table, deal } = frame;
  const last = deal?.outcome ?? null;
  if (table.status === "finished") return { key: "match", last };
  if (table.status === "between" && last) return { key: `deal-${table.fair?.deal ?? table.match?.deals}`, last };
  return null;
}

/** Fill the panel; returns what it says that the lines of the events do not: in which place the player came. */
export function fillPanel(body, title, frame, game, panel) {
  if (panel.key === "match") return fillMatch(body, title, frame, game);
  const { headline, columns, rows, foot } = game.result(frame);
  title.textContent = headline;
  body.replaceChildren(tableOf(columns, rows, frame.table.you), el("p", { class: "result-foot" }, foot));
  return "";
}

function tableOf(columns, rows, you) {
  const head = el("tr", {}, ...columns.map((text, index) => el("th", { scope: "col", class: index > (rows[0]?.cards === undefined ? 1 : 0) ? "number" : "" }, text)));
  const lines = rows.map((row) => {
    const line = el("tr", { "data-best": row.best, "data-you": row.seat === you },
      el("th", { scope: "row" }, el("span", { class: "result-name" }, row.name), row.cards ? handShown(row.cards) : null),
      el("td", { class: row.cards === undefined ? "" : "number" }, row.word),
      el("td", { class: "number" }, row.change),
      el("td", { class: "number" }, row.total));
    return line;
  });
  return el("div", { class: "result-scroll", tabindex: "0", role: "region", "aria-label": gettext("Table of results") }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...lines)));
}

function handShown(cards) {
  const names = listed(cards.map(cardName));
  return el("span", { class: "hand-shown", role: "img", "aria-label": names }, 
    ...keyed(byRank(cards)).map(({ card }) => makeMini(card)));
}

/** Why a seat comes last whatever its cards made of it. */
function whyLast(frame, seat) {
  if (!frame.table.course?.abandoned.includes(seat)) return null;
  const left = frame.table.seats.find((each) => each.seat === seat)?.left;
  return el("small", { class: "result-why" }, left ? gettext("left the table") : gettext("a bot played at the end"));
}

function fillMatch(body, title, frame, game) {
  const { table } = frame;
  const ranking = table.ranking ?? table.match?.ranking ?? [];
  const winners = ranking.filter(([place]) => place === 1).map(([, seat]) => seatName(frame, seat));
  const own = ranking.find(([, seat]) => seat === table.you);
  title.textContent = winners.length > 0 ? fill(gettext("The match is over. First: %(names)s."), { names: listed(winners) }) : gettext("The match is over.");
  const scores = (seat) => (table.match?.net ? game.signed(table.match.net[String(seat)] ?? 0) : String(table.match?.totals?.[String(seat)] ?? 0));
  const rows = ranking.map(([place, seat]) =>
    el("tr", { "data-best": place === 1, "data-you": seat === table.you, "data-seat": seat },
      el("td", { class: "number" }, `${place}.`), el("th", { scope: "row" }, seatName(frame, seat), whyLast(frame, seat)), el("td", { class: "number" }, scores(seat))));
  const head = el("tr", {}, el("th", { scope: "col", class: "number" }, gettext("Place")), el("th", { scope: "col" }, gettext("Player")),
    el("th", { scope: "col", class: "number" }, table.match?.net ? gettext("Net stakes") : gettext("Points")));
  const place = own ? fill(gettext("You finished in place %(place)s of %(n)s."), { place: own[0], n: ranking.length }) : "";
  body.replaceChildren(
    ...(own ? [el("p", { class: "result-own" }, place)] : []),
    el("div", { class: "result-scroll", tabindex: "0", role: "region", "aria-label": gettext("Table of results") }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows))),
  );
  return place;
}

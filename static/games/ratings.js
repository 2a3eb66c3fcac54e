// What a rated match did to ratings: one more column of the table that closes it.

import { el } from "./dom.js";
import { gettext } from "./i18n.js";

/** Ask `address` what the match brought and add it to the rows of `body`, which name their seats; nothing if it did not count. */
export async function addRatings(body, address) {
  const table = body.querySelector("table");
  const answer = await fetch(address, { headers: { accept: "application/json" } }).catch(() => null);
  if (!answer?.ok || !table?.isConnected) return;
  const { changes } = await answer.json();
  const of = new Map(changes.map((change) => [String(change.seat), change]));
  table.tHead.rows[0].append(el("th", { scope: "col", class: "number" }, gettext("Rating")));
  for (const row of table.tBodies[0].rows) row.append(el("td", { class: "number" }, ...shown(of.get(row.dataset.seat))));
}

function shown(change) {
  if (!change) return [];
  const gain = change.gain > 0 ? `+${change.gain}` : String(change.gain).replace("-", "−");
  const mark = change.provisional ? [el("span", { "aria-hidden": "true" }, "?"), el("span", { class: "vh" }, ` ${gettext("(provisional)")}`)] : [];
  return [String(change.points), ...mark, " ", el("small", { class: "result-gain" }, gain)];
}

// The check of all deals of a table: fetches the proofs, checks them in this browser and says what came out.

import { el, setText } from "./dom.js";
import { cardName } from "./cards.js";
import { checkAll } from "./fair.js";
import { fill, gettext, ngettext } from "./i18n.js";

const $ = (id) => document.getElementById(id);

/** One sentence for what differs from the fair deal. */
function words(fault) {
  const cards = fault.place ? { place: fault.place, found: cardName(fault.found), fair: cardName(fault.fair) } : {};
  const texts = {
    commitment: () => gettext("The proof names another commitment than this page."),
    shown: () => gettext("The seed or the players’ numbers are not those that this page shows."),
    missing: () => gettext("The server gave no proof of this deal."),
    seed: () => gettext("The seed does not lead back to the commitment."),
    deck: () => gettext("The deck differs from the fair one: card %(place)s from the top is %(found)s instead of %(fair)s."),
    deck_length: () => gettext("The deck has %(found)s cards instead of %(fair)s."),
    reshuffle: () => gettext("Reshuffle %(number)s differs from the fair one: card %(place)s is %(found)s instead of %(fair)s."),
    reshuffle_length: () => gettext("Reshuffle %(number)s has %(found)s cards instead of %(fair)s."),
    reshuffle_cards: () => gettext("Reshuffle %(number)s has cards that the deck does not have."),
    dealer: () => gettext("The first dealer should have been seat %(fair)s and was seat %(found)s."),
  };
  return fill(texts[fault.code](), { ...fault, ...cards });
}

async function fetchProofs() {
  const proofs = [];
  for (let address = $("check-all").dataset.proofs; address; ) {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const body = await answer.json();
    proofs.push(...body.proofs);
    address = body.next;
  }
  return proofs;
}

/** Say at a deal what came out; the page must show the seed and the numbers that were checked. */
function showDeal(proof, faults) {
  const row = document.querySelector(`[data-deal="${proof.deal}"]`);
  if (!row) return;
  const shown = [...row.querySelectorAll(".seed, .nonces code")].map((code) => code.textContent);
  if (shown.join("\n") !== [proof.seed, ...proof.nonces].join("\n")) faults.push({ code: "shown" });
  say(row, faults);
}

function say(row, faults) {
  const place = row.querySelector(".check-result");
  place.dataset.state = faults.length === 0 ? "good" : "bad";
  place.replaceChildren(faults.length === 0 ? gettext("fair") : el("span", {}, faults.map(words).join(" ")));
}

/** Sum up what stands at the deals; one that no proof came for is not fair. */
function showSum() {
  const rows = [...document.querySelectorAll("[data-deal]")];
  for (const row of rows) if (!row.querySelector(".check-result").dataset.state) say(row, [{ code: "missing" }]);
  const checked = rows.length;
  const bad = rows.filter((row) => row.querySelector(".check-result").dataset.state === "bad").length;
  const good = fill(ngettext("%(n)s deal was checked: it is fair.", "%(n)s deals were checked: all of them are fair.", checked), { n: checked });
  const text = bad === 0 ? good : fill(ngettext("%(bad)s of %(n)s deals is not what was promised. Tell the club.", "%(bad)s of %(n)s deals are not what was promised. Tell the club.", bad), { bad, n: checked });
  setText($("check-said"), text);
  $("check-said").dataset.state = bad === 0 ? "good" : "bad";
}

async function check() {
  const button = $("check-all");
  button.disabled = true;
  $("check-said").dataset.state = "busy";
  setText($("check-said"), gettext("Checking …"));
  try {
    await checkAll(await fetchProofs(), $("commitment").textContent, showDeal);
    showSum();
  } catch (error) {
    setText($("check-said"), fill(gettext("The check could not be done: %(why)s"), { why: error.message }));
    $("check-said").dataset.state = "bad";
  }
  button.disabled = false;
}

if ($("check-all")) {
  $("check-all").hidden = false;
  $("check-all").addEventListener("click", check);
}

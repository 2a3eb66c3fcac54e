// The lobby's page: both lists stay up to date by a socket, filters act at once, one's own tables are asked for from
// time to time. Without a line the page asks the server for itself.

import { setText } from "./dom.js";
import { fill, ngettext } from "./i18n.js";
import { empty, fits, learn } from "./lobby_lists.js";
import { patchRows, rowOf } from "./rows.js";
import { openLine } from "./socket.js";

const MINE_EVERY = 5000;      // ms between two looks at one's own tables
const ASK_EVERY = 8000;       // ms between two looks at the page while there is no line

const $ = (id) => document.getElementById(id);
const lists = $("lists");
const filters = $("filters");
let known = empty;
let line = "connecting";

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const socket = openLine(`${scheme}//${location.host}${lists.dataset.socket}`, (message) => {
  if (message.t === "line") line = message.line;
  if (message.t !== "lobby") return;
  known = learn(known, message);
  filters.classList.add("live");
  show();
  lookAtMine();
});

/** What the filters ask for, by the names of the rows' data. */
function wanted() {
  return Object.fromEntries(["game", "clock", "stakes", "rating", "free"].map((name) => {
    const field = filters.elements[name];
    return [name, field.type === "checkbox" && !field.checked ? "" : field.value];
  }));
}

function show() {
  const asked = wanted();
  for (const name of ["open", "running"]) {
    const rows = known.order[name].map((key) => ({ key, row: rowOf(known.rows[key]) }));
    showList(name, rows.filter((item) => fits(item.row.dataset, asked)));
  }
}

function showList(name, rows) {
  patchRows($(name), rows);
  $(`${name}-none`).hidden = rows.length > 0;
  if (name === "open") setText($("count"), fill(ngettext("%(n)s open table", "%(n)s open tables", rows.length), { n: rows.length }));
}

function rowsIn(list) {
  return [...list.children].map((row) => ({ key: row.dataset.key, row }));
}

async function documentAt(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Without a line: ask for the page as the filters have it. */
async function ask() {
  if (line === "open" || document.hidden) return;
  const page = await documentAt(`${location.pathname}?${new URLSearchParams(new FormData(filters))}`).catch(() => null);
  if (!page || line === "open") return;
  for (const name of ["open", "running"]) showList(name, rowsIn(page.getElementById(name)));
}

async function lookAtMine() {
  const section = document.querySelector("[data-mine]");
  if (document.hidden) return;
  const page = await documentAt(section.dataset.mine).catch(() => null);
  const list = page?.getElementById("mine");
  if (!list) return;
  section.hidden = list.children.length === 0;
  patchRows($("mine"), rowsIn(list));
}

filters.addEventListener("change", () => {
  history.replaceState(null, "", `?${new URLSearchParams([...new FormData(filters)].filter(([, value]) => value))}`);
  if (filters.classList.contains("live")) show();
  else filters.submit();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  socket.wake();
  lookAtMine();
});
addEventListener("online", () => socket.wake());
addEventListener("pagehide", () => socket.close());
addEventListener("pageshow", (event) => event.persisted && location.reload());
setInterval(ask, ASK_EVERY);
setInterval(lookAtMine, MINE_EVERY);
socket.connect();

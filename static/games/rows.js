// Rows that the server renders, patched in place by their keys: a row that stays keeps its link, and so its focus.

import { patchList } from "./dom.js";

/** The row in a piece of HTML that holds exactly one `<li data-key>`. */
export function rowOf(html) {
  const shell = document.createElement("template");
  shell.innerHTML = html.trim();
  return shell.content.firstElementChild;
}

/** Let a list that the server filled in be patched: its rows are known by their keys from now on. */
export function adopt(list) {
  list.keyedNodes ??= new Map([...list.children].map((row) => [row.dataset.key, row]));
}

/** Make `list` show `rows` (`{key, row}` with an element each) in order, without losing focus or scroll. */
export function patchRows(list, rows) {
  adopt(list);
  patchList(list, rows, {
    key: (item) => item.key,
    make: (item) => item.row.cloneNode(true),
    update: (node, item) => become(node, item.row),
  });
}

/** Give a row the attributes and the content of another; the link itself stays. */
function become(node, row) {
  if (node.isEqualNode(row)) return;
  for (const { name, value } of row.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  for (const { name } of [...node.attributes]) if (!row.hasAttribute(name)) node.removeAttribute(name);
  const [mine, other] = [node.querySelector("a"), row.querySelector("a")];
  mine.setAttribute("href", other.getAttribute("href"));
  if (mine.innerHTML !== other.innerHTML) mine.innerHTML = other.innerHTML;
}

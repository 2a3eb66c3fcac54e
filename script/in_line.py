"""What stands in one row of a page but not on one line, measured in the page itself."""

from __future__ import annotations

from playwright.sync_api import Page

MEASURE = """() => {
  const found = [];
  const named = (node) => node.textContent.trim().replace(/\\s+/g, " ").slice(0, 60);
  const apart = (heights) => Math.max(...heights) - Math.min(...heights) > 1.2;
  // Where the first line of words ends; the like of a mark or a smaller print is left out.
  const lineOf = (cell) => {
    const size = getComputedStyle(cell).fontSize;
    const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT, (node) =>
      node.data.trim() && !node.parentElement.closest(".vh, svg") && node.parentElement.checkVisibility() &&
      getComputedStyle(node.parentElement).fontSize === size ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT).nextNode();
    if (!words) return null;
    const range = document.createRange();
    range.selectNodeContents(words);
    return range.getClientRects()[0]?.bottom ?? null;
  };
  const middleOf = (cell) => {
    const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT, (node) =>
      node.data.trim() && !node.parentElement.closest(".vh, svg") ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);
    const boxes = [];
    for (const range = document.createRange(); words.nextNode();) {
      range.selectNodeContents(words.currentNode);
      boxes.push(...range.getClientRects());
    }
    return boxes.length ? (Math.min(...boxes.map(({ top }) => top)) + Math.max(...boxes.map(({ bottom }) => bottom))) / 2 : null;
  };
  for (const row of document.querySelectorAll("main .plain tbody tr, main .facts dt")) {
    const cells = row.matches("tr") ? [...row.cells] : [row, row.nextElementSibling];
    if (row.matches("tr") ? getComputedStyle(cells[0]).display !== "table-cell" : cells[1]?.offsetLeft === row.offsetLeft) continue;
    // Cells that are centred beside one of several lines have their middles on one line.
    const centred = cells.every((cell) => getComputedStyle(cell).verticalAlign === "middle");
    const lines = cells.map(centred ? middleOf : lineOf).filter((each) => each !== null);
    if (lines.length > 1 && apart(lines)) found.push(`the words of a row are not on one line: ${named(row)}`);
  }
  // What stands beside each other: links of a list are of one height, fields of a form begin at one height.
  const besides = (nodes, measure, what) => {
    const rows = Map.groupBy([...nodes].filter((node) => node.checkVisibility()), (node) => node.getBoundingClientRect().top);
    for (const row of rows.values()) {
      const heights = row.map(measure).filter((each) => each !== undefined);
      if (heights.length > 1 && apart(heights)) found.push(`${what}: ${named(row[0])}`);
    }
  };
  for (const list of document.querySelectorAll("main .tables")) {
    besides(list.querySelectorAll(":scope > li > a"), (node) => node.offsetHeight, "links of one row are not of one height");
  }
  for (const form of document.querySelectorAll("main .pair")) {
    const field = (node) => node.querySelector(":scope > :is(input:not([type=checkbox]), select)")?.getBoundingClientRect().top;
    besides(form.querySelectorAll(":scope > .field"), field, "fields of one row are not on one line");
  }
  // Browsers keep 4 px of their own before the words of a choice that can be opened. What is wrong is seen before it is read.
  const written = [...document.querySelectorAll("main :is(input:is([type=text], [type=email], [type=number]), select, textarea)")];
  const start = (field) => Math.round(parseFloat(getComputedStyle(field).paddingInlineStart)) + (field.matches("select:enabled") ? 4 : 0);
  for (const form of document.forms) {
    const fields = written.filter((field) => field.form === form && field.checkVisibility() && !field.closest("dialog, .look"));
    if (fields.length && apart(fields.map(start))) found.push(`words of fields do not begin on one line: ${fields.map((field) => field.name)}`);
    const [wrong, right] = [true, false].map((is) => fields.filter((field) => (field.ariaInvalid === "true") === is));
    const edges = new Set(right.map((field) => getComputedStyle(field).borderTopColor));
    for (const field of wrong) if (edges.has(getComputedStyle(field).borderTopColor)) found.push(`looks as if it were right: ${field.name}`);
  }
  return found;
}"""


def out_of_line(page: Page) -> list[str]:
    """Return which words of a row, links of a list and fields of a form stand beside each other but not on one line, and which
    wrong fields look like right ones."""
    return list(page.evaluate(MEASURE))

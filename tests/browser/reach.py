"""What everybody can reach on a page, with a thumb, by keys and by name, measured in the page itself."""

from __future__ import annotations

from playwright.sync_api import Page

MEASURE = """() => {
  const found = [];
  const named = (node) => `${node.outerHTML.slice(0, 110)} “${(node.innerText || "").trim().slice(0, 40)}”`;
  const shown = (node) => node.checkVisibility({visibilityProperty: true}) && !node.closest(".vh, .skip, dialog");
  if (document.querySelectorAll("h1").length !== 1) found.push(`${document.querySelectorAll("h1").length} headings of the first order`);
  if (!document.querySelector("#keys-help, #help, #state")) found.push("? shows no list of keys");
  const boxOf = (node) => {
    const boxes = [node, ...(node.labels ?? [])].filter(shown).map((each) => each.getBoundingClientRect());
    return {
      width: Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left)),
      height: Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top)),
    };
  };
  // A link among words is as high as its line; nothing may be put beside it that makes it higher.
  const amongWords = (node) => node.matches("a") && getComputedStyle(node).display === "inline" &&
    [...node.parentElement.childNodes].some((each) => each !== node && each.textContent.trim());
  for (const node of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")) {
    if (!shown(node) || amongWords(node)) continue;
    const {width, height} = boxOf(node);
    if (width < 43.5 || height < 43.5) found.push(`too small for a thumb, ${Math.round(width)} by ${Math.round(height)}: ${named(node)}`);
  }
  for (const sheet of document.querySelectorAll("main .sheet")) {
    if (!shown(sheet)) continue;
    // The room at the foot is the sheet's own; a margin of what stands last would come on top of it.
    let [last, room] = [sheet, 0];
    while (last && getComputedStyle(last).display === "block") {
      last = [...last.children].filter(shown).at(-1);
      if (last) room = Math.max(room, parseFloat(getComputedStyle(last).marginBottom));
    }
    if (room > 1) found.push(`${room} px too much room at the foot: ${named(sheet)}`);
  }
  // The letters on the round sign of the dealer are no text to read: its name says what it means.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (text) =>
    text.data.trim() && shown(text.parentElement) && !text.parentElement.closest("svg, option, noscript, .mark-dealer")
      ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    const style = getComputedStyle(node);
    const size = parseFloat(style.fontSize);
    if (size > 0 && size < 15.9) found.push(`letters of ${size} px: ${named(node)}`);
    if (style.overflowY !== "visible" && parseFloat(style.lineHeight) < 1.13 * size) found.push(`a row that cuts off what stands above a capital letter: ${named(node)}`);
  }
  for (const button of document.querySelectorAll(".button")) {
    const next = button.nextElementSibling;
    if (!next?.matches(".button") || !shown(button) || !shown(next)) continue;
    const [a, b] = [button.getBoundingClientRect(), next.getBoundingClientRect()];
    if (Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom) < 4) found.push(`no room before ${named(next)}`);
  }
  const places = new Map();
  // Tables in a list may be alike in all that is told of them.
  for (const node of document.querySelectorAll("main a[href]:not([data-key] a)")) {
    const words = (node.getAttribute("aria-label") ?? node.textContent).trim().replace(/\\s+/g, " ");
    const row = node.closest("tr, li, section, figure, nav")?.textContent.trim().replace(/\\s+/g, " ") ?? "";
    const place = node.href.split("#")[0].split("?next=")[0];
    const known = places.get(`${words} in ${row}`);
    if (words && known && known !== place) found.push(`“${words}” leads to ${known} and to ${place}`);
    places.set(`${words} in ${row}`, place);
  }
  return found;
}"""


def out_of_reach(page: Page) -> list[str]:
    """Return what is wrong with the page on a phone: its heading, its keys, targets and letters that are too small, rows that
    cut letters off, buttons that touch, sheets with uneven room, and links that say the same in the same row and lead to
    different places."""
    return [f"{page.url}: {each}" for each in page.evaluate(MEASURE)]


FIELDS = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea, button")].flatMap((node) => {
  if (!node.checkVisibility({visibilityProperty: true}) || node.closest("dialog, thead")) return [];
  if (node.matches("select[multiple]")) return [`several can be chosen by keys alone: ${node.name}`];
  const target = node.matches("[type=checkbox], [type=radio]") ? node.labels[0] ?? node : node;
  const height = target.getBoundingClientRect().height;
  return height < 43.5 ? [`${Math.round(height)} high: ${node.outerHTML.slice(0, 110)}`] : [];
})"""


def fields_out_of_reach(page: Page) -> list[str]:
    """Return which fields and buttons of a form are too low for a thumb, or ask for a key that phones have not."""
    return [f"{page.url}: {each}" for each in page.evaluate(FIELDS)]


def too_wide(page: Page) -> list[str]:
    """Return on which narrow screens the page must be pushed sideways: a small phone, and a window zoomed to 400 %."""
    found = []
    for width, height in ((360, 640), (320, 512)):
        page.set_viewport_size({"width": width, "height": height})
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            found.append(f"{page.url} is {wide} wide on {width} pixels")
    return found

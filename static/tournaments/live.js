// A page of an event follows the event: what htmx fetches is put in place without taking anything from whoever uses it.

const live = () => document.getElementById("live");
const TYPED = "input:not([type=hidden], [type=checkbox], [type=radio]), textarea, select";

/** Whether something in `root` was typed or chosen, or is being typed now. */
function isUsed(root) {
  const here = document.activeElement;
  if (here && root.contains(here) && here.matches(TYPED)) return true;
  return [...root.querySelectorAll("input, textarea, select")].some((field) => {
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.type === "hidden") return false;
    if (field.tagName === "SELECT") return [...field.options].some((option) => option.selected !== option.defaultSelected && field.selectedIndex > 0);
    return field.value !== field.defaultValue;
  });
}

/** What finds an element again after the swap: its id, else what it opens, leads to or is called. */
function keyOf(node) {
  if (node.id) return { by: "id", value: node.id };
  if (node.tagName === "SUMMARY") return { by: "summary", value: node.parentElement.id };
  if (node.matches("a[href]")) return { by: "href", value: node.getAttribute("href") };
  return { by: "aria-label", value: node.getAttribute("aria-label") };
}

function findAgain({ by, value }) {
  if (!value) return null;
  if (by === "id") return document.getElementById(value);
  if (by === "summary") return document.getElementById(value)?.querySelector("summary");
  return [...live().querySelectorAll(`[${by}]`)].find((node) => node.getAttribute(by) === value) ?? null;
}

let open = [];
let scrolled = [];
let focused = null;

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.id === "live" && document.hidden) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "live" || event.detail.xhr.status !== 200) return;
  // Another page in answer (a door, say) would take the event away and put nothing in its place.
  if (!event.detail.xhr.responseText.includes('id="live"')) {
    event.detail.shouldSwap = false;
    return;
  }
  // A press that came down here must come up on the same button, or nothing hears it: the next look brings the change.
  if (live().matches(":active")) {
    event.detail.shouldSwap = false;
    return;
  }
  if (isUsed(live())) {
    event.detail.shouldSwap = false;
    document.getElementById("live-stale").hidden = false;
    return;
  }
  open = [...live().querySelectorAll("details[open][id]")].map((details) => details.id);
  scrolled = [...live().querySelectorAll(".scroll")].map((region) => [keyOf(region), region.scrollLeft]);
  focused = live().contains(document.activeElement) ? keyOf(document.activeElement) : null;
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "live" && event.detail.elt?.id !== "live") return;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const [key, left] of scrolled) findAgain(key)?.scrollTo({ left });
  // What had the focus may be gone: reading goes on from the page's content, not from the top of the window.
  if (focused) (findAgain(focused) ?? document.getElementById("main")).focus({ preventScroll: true });
  const news = document.getElementById("live-news");
  const said = live().dataset.news;
  if (news && news.textContent !== said) news.textContent = said;
  tick();
});

/** Write what is left of the round's clock; the server's time of the end stands beside it. */
function tick() {
  for (const shown of document.querySelectorAll(".countdown")) {
    const left = Math.round((Date.parse(shown.dataset.ends) - Date.now()) / 1000);
    const minutes = Math.floor(Math.abs(left) / 60);
    const seconds = String(Math.abs(left) % 60).padStart(2, "0");
    shown.textContent = `${left < 0 ? "+" : ""}${minutes}:${seconds}`;
    shown.toggleAttribute("data-late", left < 0);
  }
}

setInterval(tick, 1000);
tick();

// Which tables wait for the member: asked for from time to time on every page, and drawn only when it changes.

const EVERY = 10000; // ms: an offered seat is kept for 30 s
const place = document.getElementById("calls");
let shown = place.innerHTML.trim();

async function look() {
  if (document.hidden) return;
  const answer = await fetch(place.dataset.address).catch(() => null);
  if (!answer?.ok) return;
  const words = (await answer.text()).trim();
  if (words === shown) return;
  shown = words;
  const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  place.innerHTML = words;
  if (focused === null) return;
  // Who was on a call that is gone goes on from the next call, or from the page's content.
  const links = [...place.querySelectorAll("a[href]")];
  const next = links.find((link) => link.getAttribute("href") === focused) ?? links[0];
  (next ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);

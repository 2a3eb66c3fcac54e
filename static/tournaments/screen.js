// The projector's page: it asks for the state every few seconds, counts the clock down by the server's time and turns the slides.

import { moment } from "../games/clock.js";
import { aheadBy, inWords, leftAt } from "./round_clock.js";

const EVERY = 4000;
const SLIDE = 10000;
const KEPT = 8;
const NARROWEST = 0.62;
const SIZES = [1.7, 1.6, 1.5, 1.4, 1.35, 1.3, 1.25, 1.2, 1.15, 1.1, 1.05, 1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7];
const words = document.body.dataset;
const state = document.getElementById("state");
let samples = [{ sent: Date.now(), trip: 2000, server: Number(words.now) }];
let etag = "";
let slide = 0;

const serverNow = () => Date.now() + aheadBy(samples);

function showSlide() {
  const slides = [...state.querySelectorAll(".slide")];
  slide %= Math.max(1, slides.length);
  slides.forEach((each, at) => {
    each.hidden = at !== slide;
    if (at === slide) fit(each);
  });
}

/** Let a slide's letters be as large as its height allows; a long name is written narrower rather than cut. */
function fit(shown) {
  const held = globalThis.matchMedia("(max-width: 40rem) and (orientation: portrait)").matches;
  const names = [...shown.querySelectorAll(".one li, .ranks span")];
  const bottom = globalThis.innerHeight * 0.98;
  const room = (name) => name.clientWidth / name.scrollWidth;
  for (const name of names) name.style.setProperty("--name", "1");
  shown.style.setProperty("--fit", "1");
  for (const size of held ? [] : SIZES) {
    shown.style.setProperty("--fit", String(size));
    const fits = shown.getBoundingClientRect().bottom <= bottom;
    if (fits && (size <= 1 || names.every((name) => room(name) >= NARROWEST))) break;
  }
  const sizes = names.map((name) => (room(name) < 1 ? Math.max(NARROWEST, room(name) * 0.99) : 1));
  names.forEach((name, at) => name.style.setProperty("--name", String(sizes[at])));
}

/** Write the time of day, what is left of the round, and of the tables that have more time. */
function tick() {
  const now = serverNow();
  document.getElementById("time").textContent = moment(now, { day: false });
  const clock = document.getElementById("clock");
  if (!clock.dataset.ends) return;
  const paused = clock.dataset.paused ? Number(clock.dataset.paused) : null;
  const left = leftAt(now, Number(clock.dataset.ends), paused);
  clock.querySelector(".left").textContent = inWords(left);
  clock.toggleAttribute("data-late", left <= 0);
  clock.querySelector(".said").textContent = paused !== null ? words.paused : left <= 0 ? words.up : "";
  for (const extra of clock.querySelectorAll("[data-extra]")) {
    extra.querySelector("b").textContent = `${inWords(left + Number(extra.dataset.extra) * 1000)} ${words.left}`;
  }
}

async function ask() {
  const sent = Date.now();
  try {
    const answer = await fetch(words.state, { cache: "no-store", headers: etag ? { "If-None-Match": etag } : {} });
    const server = Number(answer.headers.get("Server-Time"));
    if (server) samples = [...samples, { sent, trip: Date.now() - sent, server }].slice(-KEPT);
    if (answer.status === 200) {
      state.innerHTML = await answer.text();
      etag = answer.headers.get("ETag") ?? "";
      showSlide();
    } else if (answer.status !== 304) throw new Error(String(answer.status));
    document.getElementById("lost").textContent = "";
  } catch {
    document.getElementById("lost").textContent = words.lost;
  }
  tick();
  setTimeout(ask, EVERY);
}

setInterval(tick, 250);
setInterval(() => {
  slide += 1;
  showSlide();
}, SLIDE);
globalThis.addEventListener("resize", showSlide);
showSlide();
tick();
ask();

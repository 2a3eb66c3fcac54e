// How many notifications are new: asked for once a minute while somebody looks, and drawn only when it changes.

const EVERY = 60000; // ms
const bell = document.getElementById("bell");

async function look() {
  if (document.hidden) return;
  const answer = await fetch(bell.dataset.address).catch(() => null);
  if (!answer?.ok) return;
  const inside = (await answer.text()).trim();
  if (inside !== bell.innerHTML.trim()) bell.innerHTML = inside;
}

if (bell) setInterval(look, EVERY);

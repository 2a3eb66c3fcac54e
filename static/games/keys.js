// The list of keys: `?` shows it on every page but that of a table, which has its own, and so does a button in the foot.

import { readSettings, writeSettings } from "./settings.js";

const dialog = document.getElementById("keys-help");
const box = document.getElementById("single-keys");

function open() {
  box.checked = readSettings().keys;
  dialog.showModal();
}

for (const button of document.querySelectorAll("[data-keys]")) {
  button.hidden = false;
  button.addEventListener("click", open);
}
box.addEventListener("change", () => writeSettings({ ...readSettings(), keys: box.checked }));
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || !readSettings().keys) return;
  // On a box to tick nobody types.
  if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog[open]")) return;
  event.preventDefault();
  open();
});

// A link that can be copied with one press, where the browser allows it.

import { gettext } from "../games/i18n.js";

const button = document.getElementById("copy");
const link = document.getElementById("link");
if (button && link && navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(link.textContent.trim());
    document.getElementById("copied").textContent = gettext("Copied.");
  });
}

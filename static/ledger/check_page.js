// Checks a receipt on the page that shows it, or a file that somebody chose. The work is receipt.js's.

import { receiptIn, words } from "./faults.js";
import { check } from "./receipt.js";

// A receipt that a stranger's key has signed proves nothing about this site.
const keys = JSON.parse(document.getElementById("trusted-keys").textContent);
const result = document.getElementById("check-result");

async function show(said, read) {
  result.textContent = "…";
  try {
    const proven = await check(await read(), { keys });
    const head = proven.head ?? proven.new;
    const numbers = [proven.seal?.seq ?? proven.old?.seq, `${head.seq} ${head.log_root}`];
    result.textContent = said.good.replace(/%s/g, () => numbers.shift());
    result.dataset.state = "good";
  } catch (fault) {
    result.textContent = words(fault);
    result.dataset.state = "bad";
  }
}

const button = document.getElementById("check-receipt");
button?.addEventListener("click", () =>
  show(button.dataset, async () => receiptIn(await fetch(button.dataset.receipt, { credentials: "same-origin" }))),
);

const file = document.getElementById("receipt-file");
file?.addEventListener("change", () => {
  if (file.files.length) show(file.dataset, async () => JSON.parse(await file.files[0].text()));
});

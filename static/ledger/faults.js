// Why a receipt proves nothing, in the reader's language. What receipt.js says itself is for programs, in English.

import { gettext } from "../games/i18n.js";

const ofPath = () => gettext("The receipt does not hold: the way from the transaction to its seal does not fit.");
const ofLog = () => gettext("The receipt does not hold: the way from its seal to the published one does not fit.");
const ofKey = () => gettext("The receipt does not hold: its signature does not belong to the key that it names.");
const noReceipt = () => gettext("The file is no receipt, or not a whole one.");

const WORDS = {
  malformed: noReceipt,
  transaction_mismatch: () => gettext("The receipt does not hold: the transaction is not the one that was sealed."),
  note_mismatch: () => gettext("The receipt does not hold: the note is not the one that the transaction was written with."),
  seal_mismatch: () => gettext("The receipt does not hold: its seal was changed."),
  path_mismatch: ofPath,
  log_mismatch: ofLog,
  prefix_mismatch: ofLog,
  key_mismatch: ofKey,
  signature_invalid: ofKey,
  key_untrusted: () => gettext("The receipt does not hold: it was signed with a key that is not this site’s."),
  head_unpublished: () => gettext("The receipt does not hold: it names a seal that was never published."),
};

/** The receipt in an answer of the site. Where somebody was signed out meanwhile, or asks too often, it sends a page. */
export function receiptIn(answer) {
  const sent = answer.ok && answer.headers.get("content-type") === "application/json";
  if (!sent) throw new Error(`no receipt, but ${answer.status}`);
  return answer.json();
}

/** One sentence for what `check` or the reading before it threw. */
export function words(fault) {
  if (fault instanceof SyntaxError) return noReceipt();
  return (WORDS[fault.code] ?? (() => gettext("The receipt could not be fetched. Try again.")))();
}

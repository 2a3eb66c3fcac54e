// Why something is not possible, in words: the codes of the rules.

import { gettext } from "./i18n.js";

const TEXTS = () => ({
  must_follow: gettext("You must follow suit."),
  must_head: gettext("You must head the trick: play a card that beats it."),
  must_trump: gettext("You cannot follow suit, so you must trump."),
  highest_trump: gettext("With two players left you must lead your highest trump."),
  must_lead_trump: gettext("You hold a trump, so you must lead a trump."),
  must_lead_ace: gettext("You must lead the ace of trumps."),
  must_lead_king: gettext("You must lead the king of trumps, because the ace was turned up."),
  must_play: gettext("In this deal everybody must play."),
  miss_taken: gettext("The miss has been taken already."),
  miss_not_offered: gettext("The miss is not offered in this deal."),
  may_not_fold: gettext("You may not fold here."),
  cannot_defend: gettext("You may not defend the miss here."),
  first_turn: gettext("Nobody may declare on the first turn."),
  over_cap: gettext("Your total is too high to declare at this table."),
  three_of_a_kind: gettext("Three of a kind may not be laid: two or four may."),
  run_of_four: gettext("A run has three or five cards, not four."),
  mixed_suits: gettext("At this table a run must be of one suit."),
  two_pairs: gettext("Two pairs of different ranks may not be laid together."),
  ace_in_the_middle: gettext("A run may not go round the corner: the ace is lowest or highest."),
  short_flush: gettext("A flush needs all five cards."),
  not_a_set: gettext("These cards are not a set."),
  not_an_end: gettext("At this table only the first or the last card of a run may be taken."),
  no_cards: gettext("First choose the cards to lay."),
  not_your_turn: gettext("It is not your turn."),
  stale: gettext("The table has moved on. Look again and choose anew."),
});

/** The sentence for a code; an unknown code is shown as words rather than hidden. */
export const reason = (code) => TEXTS()[code] ?? code.replaceAll("_", " ");

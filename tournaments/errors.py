"""Refusals of events: each has a stable code and a sentence that says what to do.

Refusals of the rules below (``tournaments.rules.errors``, ``games.errors``) come through with their own
codes; ``message_for`` knows the sentences of the draw's.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as N_

from games.errors import MESSAGES as TABLE_MESSAGES
from tournaments import metrics

MESSAGES: dict[str, str] = {
    # Who may.
    "no_such_event": N_("There is no such event."),
    "not_member": N_("Only members of the club may take part in its events."),
    "not_organiser": N_("Only organisers may do that. Ask a keeper of the club to make you one."),
    "treasurer_needed": N_(
        "Guaranteed prizes and the event’s own chips are new chips: ask the treasurer to set them."
    ),
    "reason_missing": N_("Give a reason, in at most 500 characters."),
    # The terms of an event.
    "bad_name": N_("Give the event a name of 1 to 80 characters."),
    "bad_term": N_("The event has no such term, or the term cannot have this value."),
    "terms_fixed": N_(
        "This can no longer be changed: it was published before round 1. Copy the event instead."
    ),
    "bad_game": N_("There is no such game. Choose one from the list."),
    "bad_sizes": N_("Table sizes must be in order (smallest, ideal, largest) and fit the game."),
    "bad_rounds": N_("An event has 1 to 64 rounds of at least 1 orbit; 3-Card Loo online of 1 to 5 orbits."),
    "rated_in_rounds": N_(
        "Only fixed rounds count for the ratings: in an elimination players change tables while a round is played."
    ),
    "bad_scoring": N_("3-Card Loo scores high or by places, Least Score low or by places."),
    "bad_tie_break": N_("Choose each tie-break once, from the list."),
    "bad_thresholds": N_(
        "A threshold is a whole number from 1 and may not fall from round to round; only Least Score has one."
    ),
    "bad_elimination": N_(
        "Say how many advance or leave, and let a round end by orbits unless it has a threshold."
    ),
    "bad_prizes": N_("Each row of prizes must add up to 100 percent, the better place never winning less."),
    "bad_capacity": N_("An event has at least 2 places, and at most 256."),
    "bad_window": N_("Check-in must close after it opens."),
    "bad_fee": N_("An entry fee needs chips to be paid in: choose an asset of the club."),
    "bad_event_chips": N_(
        "The event’s own chips are for 3-Card Loo online, enough for the worst deal of a round."
    ),
    "bad_clock": N_("There is no such clock. Choose one from the list."),
    "bad_options": N_("The game has no such option, or the option cannot have this value."),
    # States.
    "not_now": N_("That is not possible in the present state of the event."),
    "not_open": N_("Registration is not open."),
    "too_late_to_enter": N_("It is too late to enter this event."),
    "too_few_players": N_("There are too few players to begin. At least one table must be filled."),
    "too_many_players": N_("A draw is made for at most 256 players. Split the field into groups."),
    "rounds_left": N_("There are rounds left to play or to confirm. Confirm the last round first."),
    "nobody_left": N_("Nobody is left to be drawn: everybody has withdrawn."),
    # Entries.
    "already_entered": N_("This player is entered already."),
    "name_taken": N_("Somebody of that name is entered already. Add an initial."),
    "bad_entry_name": N_("Give a name of 1 to 60 characters."),
    "no_such_entry": N_("There is no such player in this event."),
    "not_entered": N_("You do not take part in this event."),
    "has_left": N_("This player has withdrawn or is out. Let the player return first."),
    "still_in": N_("This player is still in the event."),
    "knocked_out": N_("Who was knocked out cannot return."),
    "bots_not_allowed": N_("Bots do not take part in this event."),
    "bad_level": N_("There is no such bot. Choose one from the list."),
    "account_needed": N_("Online events are for people with an account, and so are entry fees."),
    "guests_without_chips": N_("Guests have no chips. Sign in as a member to pay the entry fee."),
    "not_enough_chips": N_("The entry fee is more than the chips at hand. Ask the treasurer."),
    "no_such_member": N_(
        "No member of the club has that name or user name. Take one from the list that opens as you type."
    ),
    "same_player": N_("Choose two different players."),
    "bad_file": N_(
        "The file must be text with one player a line: a name, or a user name in the column username."
    ),
    "too_many_lines": N_("The file has more than 1,000 lines. Split it."),
    "bad_announcement": N_("An announcement is one text of at most 300 characters."),
    # Check-in.
    "check_in_closed": N_("Check-in is not open now. Ask the organiser."),
    # Draws and rounds.
    "no_such_round": N_("There is no such round."),
    "no_such_draw": N_("There is no such version of the draw."),
    "unconfirmed": N_("The next round cannot be drawn before all results of the last one are confirmed."),
    "not_drawn": N_("This round has no draw that could be changed. Draw it first."),
    "not_fixed": N_("Confirm the draw before it is released."),
    "released": N_("This round is released. Take the release back first."),
    "not_released": N_("This round is not being played."),
    "results_there": N_("Results have been entered. Undo the round instead, with a reason."),
    "later_round": N_("A later round has been released. Undo that one first."),
    "no_more_rounds": N_("All rounds have been drawn."),
    "not_in_draw": N_("These players are not in this round, or not at two different tables."),
    "field_changed": N_("Somebody left or came after the draw. Draw again."),
    "nothing_undone": N_("No round was undone that could be brought back."),
    # Tables and results.
    "no_such_table": N_("There is no such table in this round."),
    "not_at_table": N_("Only players of this table may do that, or the organiser."),
    "online_table": N_("Results of online tables come from the tables themselves."),
    "table_done": N_("This table is done. Ask the organiser to correct it."),
    "wrong_deal": N_("Deals are entered in their order. Enter the next one, or correct an earlier one."),
    "all_deals_entered": N_("All deals of this table are entered."),
    "wrong_players": N_("The sheet must name exactly the players who were dealt in."),
    "not_reported": N_("Not all deals of this table are entered yet."),
    "own_entry": N_("A second player of the table must confirm, not the one who entered the results."),
    "disputed": N_("These results are disputed. The organiser decides."),
    "not_disputed": N_("These results are not disputed."),
    "round_confirmed": N_("The round is confirmed. Reopen it first, with a reason."),
    "tables_open": N_("Some tables are not done, or their results are not confirmed."),
    "no_such_result": N_("There is no such result."),
    "bad_sheet": N_("The score sheet is not complete. Fill in every player."),
    "whole_only_in_rounds": N_("Whole rounds are entered in events of fixed rounds only."),
    "bad_whole": N_(
        "In 3-Card Loo the scores of a table add up to 0; in Least Score nobody has less than 0. Check the numbers."
    ),
    "table_waits": N_("This table waits for players from other tables."),
    # Rules' own refusals about score sheets.
    "bad_total": N_("A total is a whole number from 1 to 50."),
    "bad_tricks": N_(
        "Three tricks are taken by players who were in; a lone player takes the pot without any."
    ),
    "nobody_in": N_("Somebody wins every deal: the dealer, if all others fold."),
    "bad_miss": N_("The miss is played by one player who is in; the dealer defends only if nobody took it."),
    "bad_points": N_("Points are whole numbers from 0."),
    # Draw.
    "sizes_impossible": N_("So many players do not fit tables of these sizes. Allow other sizes."),
    "bad_size": N_("Table sizes must be in order and between 2 and 16."),
    # Prizes.
    "paid_already": N_("The prizes are paid. Take the payout back first."),
    "nothing_paid": N_("No prizes have been paid."),
    "no_prizes": N_("There is nothing to pay out."),
    "chips_spent": N_("A winner has spent the chips already, so the payout cannot be taken back as one."),
    # Seasons.
    "no_such_season": N_("There is no such season."),
    "season_name_taken": N_("There is a season of that name."),
}


def message_for(code: str, detail: str = "") -> str:
    """Return the sentence for ``code`` in the active language; ``detail`` when the code has none."""
    text = MESSAGES.get(code) or TABLE_MESSAGES.get(code)
    return _(text) if text else detail or code.replace("_", " ")


class EventRefusal(Exception):
    """What a person asked of an event is refused; nothing was written.

    ``code`` is one of ``MESSAGES``, or a code of the tables or the rules below; ``detail`` an English
    phrase that names what was wrong.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = code
        self.detail = detail
        metrics.REFUSALS.labels(code).inc()
        super().__init__(code)

    @property
    def message(self) -> str:
        """The sentence to show, in the active language."""
        return message_for(self.code, self.detail)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}" if self.detail else self.code

"""Refusals of the tables: each has a stable code and a sentence for the person who asked.

The rules' own refusals (``games.rules.errors.Refusal``) carry codes too;
``message_for`` knows the sentences of both.
"""

from __future__ import annotations

import datetime as dt

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as N_

from games import metrics

MESSAGES: dict[str, str] = {
    # A table and its seats.
    "no_such_table": N_("This table does not exist or is closed to you."),
    "club_members_only": N_("Only members of the club sit at its tables."),
    "club_left": N_("You are no longer let in at the tables of this club."),
    "not_seated": N_("You have no seat at this table, so you can only watch."),
    "not_your_turn": N_("It is not your turn."),
    "no_deal": N_("No deal is being played right now."),
    "no_such_deal": N_("There is no such deal at this table."),
    "deal_running": N_("This deal is still being played. Its cards are shown when it is over."),
    "stale": N_("The table has moved on. Look again and choose anew."),
    "too_late": N_("Your time had run out, so a move was played for you."),
    "table_finished": N_("This match is over."),
    "table_full": N_("Every seat is taken."),
    "already_seated": N_("You already sit at this table."),
    "match_running": N_("That is not possible while a match is being played."),
    "bad_seats": N_("This game cannot be played with that many seats."),
    "bad_game": N_("There is no such game. Choose one from the list."),
    "bad_level": N_("There is no such bot. Choose one from the list."),
    "bad_clock": N_("There is no such clock. Choose one from the list."),
    "bad_watch_delay": N_("The delay for watchers is a whole number of seconds from 0 to 600."),
    "bad_nonce": N_("Your number for the shuffle may have 1 to 64 letters, digits, spaces or signs."),
    "plain_nonce": N_("As long as you cannot write in the chat, choose a number of 1 to 64 digits."),
    "nonce_closed": N_("The shuffle of this deal is already fixed. Change your number between deals."),
    "not_standing_in": N_("Nobody plays in your place; the seat is yours already."),
    "too_many_tables": N_("Five of your tables wait for players already. Fill or close one of them first."),
    "seat_taken": N_("Somebody else just took that seat. Choose another one."),
    "not_yours_to_do": N_("Only who opened the table may do that."),
    "not_waiting": N_("This table does not wait for its event."),
    # Archives of old tables.
    "archive_too_young": N_("Only matches that were over 30 days ago can be archived. Name an earlier day."),
    "archive_busy": N_("Somebody else is archiving just now. Wait until that has ended."),
    # Before the first deal.
    "seat_kept": N_("That seat is kept for somebody who waits. Join the line, or choose another one."),
    "seat_is_free": N_("A seat is free: sit down instead of waiting."),
    "seat_offered": N_(
        "A free seat is being offered to somebody who waits. Start when it is taken or refused."
    ),
    "line_full": N_("The line at this table is too long. Choose another table."),
    "no_bot_there": N_("No bot holds that seat any more."),
    "too_few_players": N_("Too few sit here to start. Wait for others, or call bots."),
    "no_bots_when_rated": N_("Bots do not sit at rated tables. Wait for others, or open a casual table."),
    "practice_not_rated": N_("A rated table of 3-Card Loo needs at least 5 players."),
    "guests_not_rated": N_(
        "Guests cannot sit at rated tables. Sign in as a member, or choose a casual table."
    ),
    "bots_not_rated": N_("Accounts of bots do not sit where a rating or chips are played for."),
    "by_hand_only": N_(
        "Programs play at casual tables, and accounts of bots at tables of events that let bots in."
        " Play here by hand, on the page."
    ),
    "rated_seat_held": N_(
        "You have a seat at a rated table of this game. Play that match first, or leave it."
    ),
    "rated_match_left": N_(
        "The rated match of this game that you left is still being played. Wait until it is over."
    ),
    # The course of a match.
    "no_match": N_("That is possible only while a match is being played."),
    "stand_in_plays": N_("You are not playing just now. Come back to your seat first."),
    "paused": N_(
        "The match is paused. Somebody who wanted the pause can go on, or wait until it ends by itself."
    ),
    "pause_not_casual": N_("Matches for chips or rating and matches of tournaments are not paused."),
    "pause_with_days": N_("Here a move may take a day, so there is no need for a pause."),
    "pauses_used_up": N_("This match has had its two pauses."),
    "pause_offered_before": N_("You have offered a pause in this deal already. Offer one in the next deal."),
    "no_pause_offered": N_("The offer of a pause is over. Offer one yourself."),
    "not_paused": N_("The match is not paused."),
    "not_your_pause": N_("Only those who wanted the pause can end it early."),
    "no_sitting_out": N_("The rules of this game deal to everybody. Let a bot play for you instead."),
    "sit_out_not_casual": N_("Nobody sits out where chips, a rating or a tournament hang on the match."),
    "too_few_without_you": N_("Without you too few would be left for a deal."),
    "not_sitting_out": N_("You are dealt in already."),
    "stand_in_not_casual": N_(
        "Nobody may have a bot play for them where chips, a rating or a tournament hang on it."
    ),
    "others_play": N_("Somebody else still plays. You can leave the match instead."),
    "event_goes_on": N_("The tournament says who plays where next."),
    "confirm_buy_in": N_("Playing again costs the least buy-in. Say that you agree to pay it."),
    "rematch_begun": N_(
        "The others have begun without you. Follow the link to watch them, or open a new table."
    ),
    # Stakes.
    "bad_stake": N_("A stake is a whole number of chips from 1 to 1,000,000."),
    "bad_buy_in": N_("That buy-in is not between the least and the most that this table allows."),
    "buy_in_too_small": N_("The least buy-in must pay for the entry and the worst first deal. Raise it."),
    "not_enough_chips": N_("You do not have that many chips. Ask the treasurer, or buy in for less."),
    "bots_lack_chips": N_("The bots have too few chips of the club. Ask the treasurer to give them some."),
    "guests_without_chips": N_("Guests have no chips. Sign in as a member to play for stakes."),
    "no_stakes": N_("This table is played without stakes."),
    "still_dealt_in": N_("You can buy chips between deals only."),
    # Chat, mutes and reports.
    "chat_sign_in": N_("Sign in to write in the chat."),
    "chat_members_only": N_("Only members who sit at the table write here. Write in the watchers’ room."),
    "chat_watchers_only": N_("You sit at this table, so you cannot write in the watchers’ room."),
    "chat_guests": N_("Guests choose from the quick phrases. Sign in as a member to write freely."),
    "chat_over": N_("The match is over: choose from the quick phrases."),
    "chat_closed": N_("The chat of this table is closed."),
    "chat_too_fast": N_("You write too fast. Wait a moment and send it again."),
    "chat_bad_room": N_("There is no such room. Reload the page."),
    "chat_bad_phrase": N_("There is no such phrase. Choose one of the buttons."),
    "chat_bad_text": N_("A line has 1 to 200 characters that can be seen. Change it and send it again."),
    "silenced": N_("An organiser has silenced you until %(moment)s. Until then you can only read."),
    "no_such_line": N_("This line is not there any more."),
    "not_yourself": N_("That is possible with other people only."),
    "report_empty": N_("Choose lines or a deal, and say in the note what happened."),
    "report_one_person": N_("Choose lines of one person only, and make one report for each."),
    "report_many_lines": N_("Choose at most 50 lines."),
    "report_bad_person": N_("Choose somebody who sits at this table."),
    "report_bad_reason": N_("Choose a reason from the list."),
    "report_long_note": N_("The note has more than 1000 characters. Shorten it."),
    "too_many_reports": N_(
        "You have sent many reports today. Wait until tomorrow, or speak to an organiser."
    ),
    "no_such_report": N_("There is no such report, or it is not yours to handle."),
    "report_handled": N_("Somebody has handled this report already."),
    "not_organiser": N_("Only organisers may do that."),
    "reason_missing": N_("Say why: the reason is kept with what you do. It may have 1000 characters."),
    "bad_duration": N_("Choose for how long from the list."),
    "nobody_to_silence": N_("Nobody is named here who could be silenced."),
    "no_such_silence": N_("This silence is over already."),
    # Lessons and hints.
    "bad_lesson_step": N_("There is no such step in the lesson. Begin it anew."),
    "no_hints": N_("There are no hints where chips, a rating or a tournament hang on the match."),
    "hint_too_fast": N_("You ask for hints too fast. Wait a moment."),
    # What arrives on a socket.
    "bad_message": N_("The message could not be understood. Reload the page."),
    "busy": N_("Your last move is still being worked on."),
    "too_fast": N_("Too many messages. Wait a moment."),
    "removed": N_("You were removed from this table. Choose another one in the lobby."),
    "deactivated": N_("Your account is closed. Ask the keepers of your club if you think this is a mistake."),
    "too_many_streams": N_("You have too many streams open. Close some of them first."),
    "token_over": N_("Your token is over or was revoked. Make a new one in your settings."),
    "too_many_watchers": N_("Too many people watch already. Try again in a few minutes."),
    "signed_out": N_("You are signed out. Sign in again to play on."),
    "unavailable": N_("The server cannot be reached right now. Your place is kept; try again in a moment."),
    # The rules of both games.
    "malformed_move": N_("That is not a move of this game."),
    "not_your_card": N_("You do not hold that card."),
    "illegal_move": N_("The rules do not allow that now."),
    # 3-Card Loo.
    "must_follow": N_("You must follow suit."),
    "must_head": N_("You must head the trick: play a card that beats it."),
    "must_trump": N_("You must trump."),
    "highest_trump": N_("With two players left you must lead your highest trump."),
    "must_lead_trump": N_("You hold a trump, so you must lead a trump."),
    "must_lead_ace": N_("You must lead the ace of trumps."),
    "must_lead_king": N_("You must lead the king of trumps, because the ace was turned up."),
}


def message_for(code: str, detail: str = "") -> str:
    """Return the sentence for ``code`` in the active language; ``detail`` when the code has none.

    Where a sentence names a moment, ``detail`` is that moment in ISO 8601.
    """
    text = MESSAGES.get(code)
    if not text:
        return detail or code.replace("_", " ")
    if "%(moment)s" in text:
        return _(text) % {"moment": _moment(detail)}
    return _(text)


def _moment(iso: str) -> str:
    return date_format(localtime(dt.datetime.fromisoformat(iso)), "SHORT_DATETIME_FORMAT")


class TableRefusal(Exception):
    """What a person asked of a table is refused; nothing was written.

    ``code`` is one of ``MESSAGES`` or a code of the rules.
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

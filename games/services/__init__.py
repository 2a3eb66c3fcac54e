"""What can be done at a table: verbs with keyword-only arguments, each in one transaction.

Every service locks the table's row first (``locked_table``), works on what it
read under that lock, and writes one log entry for each thing that happened.
The chat and the organisers' acts have tables of their own and are not in the log.
"""

from games.services.absence import ask_stand_in, end_now
from games.services.archiving import Archived, archive_deals
from games.services.bot_matches import BotMatches, rate_bots
from games.services.chat import mute_author, say, unmute
from games.services.clockwork import (
    give_back_outage,
    play_bot,
    start_due_deal,
    sweep,
    sweep_if_late,
    time_out,
)
from games.services.counting import count_deals, recount_deals
from games.services.event_tables import EventTerms, limit_deals, next_deal
from games.services.forgetting import forget_chat
from games.services.gathering import (
    fill_with_bots,
    hosts_of,
    move_seat,
    remove_bot,
    sit_down,
    start_early,
)
from games.services.lag import Line
from games.services.lessons import note_lesson_step
from games.services.moves import Answer, play_move
from games.services.opening import StakeTerms, least_stack, open_table, play_now
from games.services.organising import dismiss_report, hide_reported_lines, lift_silence, silence
from games.services.pausing import answer_pause, end_due_pauses, end_pause, offer_pause
from games.services.rating import rate_result, recompute_ratings, withdraw_result
from games.services.reaping import note_waiting, reap
from games.services.rematch import fill_rematches, play_again
from games.services.reminding import remind_turns
from games.services.reporting import report
from games.services.seating import (
    buy_chips,
    choose_nonce,
    close_table,
    leave_table,
    make_ready,
    take_back_seat,
)
from games.services.sitting_out import sit_in, sit_out
from games.services.waiting import join_line, leave_line, pass_on_offers

__all__ = [
    "Answer",
    "Archived",
    "BotMatches",
    "EventTerms",
    "Line",
    "StakeTerms",
    "answer_pause",
    "archive_deals",
    "ask_stand_in",
    "buy_chips",
    "choose_nonce",
    "close_table",
    "count_deals",
    "dismiss_report",
    "end_due_pauses",
    "end_now",
    "end_pause",
    "fill_rematches",
    "fill_with_bots",
    "forget_chat",
    "give_back_outage",
    "hide_reported_lines",
    "hosts_of",
    "join_line",
    "least_stack",
    "leave_line",
    "leave_table",
    "lift_silence",
    "limit_deals",
    "make_ready",
    "move_seat",
    "mute_author",
    "next_deal",
    "note_lesson_step",
    "note_waiting",
    "offer_pause",
    "open_table",
    "pass_on_offers",
    "play_again",
    "play_bot",
    "play_move",
    "play_now",
    "rate_bots",
    "rate_result",
    "reap",
    "recompute_ratings",
    "recount_deals",
    "remind_turns",
    "remove_bot",
    "report",
    "say",
    "silence",
    "sit_down",
    "sit_in",
    "sit_out",
    "start_due_deal",
    "start_early",
    "sweep",
    "sweep_if_late",
    "take_back_seat",
    "time_out",
    "unmute",
    "withdraw_result",
]

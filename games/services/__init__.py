"""What can be done at a table: verbs with keyword-only arguments, each in one transaction.

Every service locks the table's row first (``locked_table``), works on what it
read under that lock, and writes one log entry for each thing that happened.
"""

from games.services.clockwork import give_back_outage, play_bot, start_due_deal, sweep, time_out
from games.services.counting import count_deals, recount_deals
from games.services.moves import Answer, play_move
from games.services.opening import StakeTerms, fill_with_bots, open_table, play_now, sit_down
from games.services.seating import (
    buy_chips,
    choose_nonce,
    close_table,
    leave_table,
    make_ready,
    take_back_seat,
)

__all__ = [
    "Answer",
    "StakeTerms",
    "buy_chips",
    "choose_nonce",
    "close_table",
    "count_deals",
    "fill_with_bots",
    "give_back_outage",
    "leave_table",
    "make_ready",
    "open_table",
    "play_bot",
    "play_move",
    "play_now",
    "recount_deals",
    "sit_down",
    "start_due_deal",
    "sweep",
    "take_back_seat",
    "time_out",
]

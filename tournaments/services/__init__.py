"""What can be done with events: verbs with keyword-only arguments, each in one transaction under the event's lock.

``by`` is the person who asks (``None``: the site itself, by its timetable); everything that was done
is an action of the event's record.
"""

from tournaments.services.announcing import announce
from tournaments.services.attending import (
    check_in,
    check_in_all,
    close_check_in,
    mark_no_show,
    return_entry,
    substitute,
    withdraw,
)
from tournaments.services.auditing import check_event, events_with_chips
from tournaments.services.correcting import correct_deal
from tournaments.services.drawing import confirm_draw, draw, loosen_draw, swap, use_draw
from tournaments.services.entering import (
    add_bots,
    allow_together,
    keep_apart,
    register,
    register_by_hand,
    volunteer,
)
from tournaments.services.importing import import_entries, preview_import
from tournaments.services.organising import (
    archive_tournament,
    cancel_tournament,
    change_tournament,
    copy_tournament,
    create_tournament,
    finish_tournament,
    open_check_in,
    open_registration,
    start_tournament,
)
from tournaments.services.paying import pay_prizes, take_prizes_back
from tournaments.services.releasing import release_round, unrelease_round
from tournaments.services.reminding import remind
from tournaments.services.reporting import (
    confirm_table,
    dispute_table,
    enter_deal,
    enter_whole,
    resolve_dispute,
)
from tournaments.services.rounds import (
    confirm_round,
    give_extra_time,
    redo_round,
    reopen_round,
    schedule_round,
    stop_clock,
    undo_round,
)
from tournaments.services.seasons import create_season, put_in_season
from tournaments.services.settling import settle, sweep
from tournaments.services.timing import call_time

__all__ = [
    "add_bots",
    "allow_together",
    "announce",
    "archive_tournament",
    "call_time",
    "cancel_tournament",
    "change_tournament",
    "check_event",
    "check_in",
    "check_in_all",
    "close_check_in",
    "confirm_draw",
    "confirm_round",
    "confirm_table",
    "copy_tournament",
    "correct_deal",
    "create_season",
    "create_tournament",
    "dispute_table",
    "draw",
    "enter_deal",
    "enter_whole",
    "events_with_chips",
    "finish_tournament",
    "give_extra_time",
    "import_entries",
    "keep_apart",
    "loosen_draw",
    "mark_no_show",
    "open_check_in",
    "open_registration",
    "pay_prizes",
    "preview_import",
    "put_in_season",
    "redo_round",
    "register",
    "register_by_hand",
    "release_round",
    "remind",
    "reopen_round",
    "resolve_dispute",
    "return_entry",
    "schedule_round",
    "settle",
    "start_tournament",
    "stop_clock",
    "substitute",
    "swap",
    "sweep",
    "take_prizes_back",
    "undo_round",
    "unrelease_round",
    "use_draw",
    "volunteer",
    "withdraw",
]

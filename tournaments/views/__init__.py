"""Pages of events: for everybody, for players, for organisers."""

from tournaments.views.draws import draft, draw, draw_check, figures, use_draw
from tournaments.views.entries import entries, entries_act, entry_act, import_entries
from tournaments.views.event import event, my_seat, own_act
from tournaments.views.exports import export_json, export_sheet, files
from tournaments.views.lists import calendar, events, own_events
from tournaments.views.organising import act, copy, desk, new_event, terms
from tournaments.views.printing import print_diplomas, print_poster, print_round, print_standings, printing
from tournaments.views.record import record
from tournaments.views.rounds import round_act, round_page, rounds
from tournaments.views.screen import screen, screen_state
from tournaments.views.seasons import season, season_put, season_take, seasons
from tournaments.views.standings import dealers, player, replays, result, standings
from tournaments.views.table_acts import table_act
from tournaments.views.tables import table_page

__all__ = [
    "act",
    "calendar",
    "copy",
    "dealers",
    "desk",
    "draft",
    "draw",
    "draw_check",
    "entries",
    "entries_act",
    "entry_act",
    "event",
    "events",
    "export_json",
    "export_sheet",
    "figures",
    "files",
    "import_entries",
    "my_seat",
    "new_event",
    "own_act",
    "own_events",
    "player",
    "print_diplomas",
    "print_poster",
    "print_round",
    "print_standings",
    "printing",
    "record",
    "replays",
    "result",
    "round_act",
    "round_page",
    "rounds",
    "screen",
    "screen_state",
    "season",
    "season_put",
    "season_take",
    "seasons",
    "standings",
    "table_act",
    "table_page",
    "terms",
    "use_draw",
]

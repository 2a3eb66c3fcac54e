"""Pages of the tables, of their history and of the statistics."""

from games.views.calls import calls
from games.views.course import again, table_log
from games.views.fair import fair_deal, fair_proofs
from games.views.history import deal, deal_proof, deal_record, deal_steps, own_history, table_history
from games.views.learning import glossary, learn, lesson, lesson_step, rules
from games.views.lobby import home, lobby, my_tables, new_table, play_now
from games.views.organising import (
    dismiss_report,
    hide_lines,
    lift_silence,
    one_report,
    organiser_acts,
    reports,
    silence,
)
from games.views.people import person
from games.views.ratings import rating, ratings, table_ratings
from games.views.reporting import muted, report, unmute
from games.views.seats import dismiss, fill, move, sit, start, wait, wait_no_longer
from games.views.statistics import deal_statistics
from games.views.tables import buy, leave, table

__all__ = [
    "again",
    "buy",
    "calls",
    "deal",
    "deal_proof",
    "deal_record",
    "deal_statistics",
    "deal_steps",
    "dismiss",
    "dismiss_report",
    "fair_deal",
    "fair_proofs",
    "fill",
    "glossary",
    "hide_lines",
    "home",
    "learn",
    "leave",
    "lesson",
    "lesson_step",
    "lift_silence",
    "lobby",
    "move",
    "muted",
    "my_tables",
    "new_table",
    "one_report",
    "organiser_acts",
    "own_history",
    "person",
    "play_now",
    "rating",
    "ratings",
    "report",
    "reports",
    "rules",
    "silence",
    "sit",
    "start",
    "table",
    "table_history",
    "table_log",
    "table_ratings",
    "unmute",
    "wait",
    "wait_no_longer",
]

"""Tables, seats, deals and the log of everything that happened at a table.

The log is the truth: a deal is its deck and the moves in the log, a table's
``match`` is what the rules made of the finished deals. Every entry of the log
raises the table's ``version`` by one.
"""

from games.models.archive import ArchivedLog, ArchiveFile
from games.models.chat import ChatLine, ChatMute, OrganiserAct, Report, Silence
from games.models.deals import Deal, DealStatistics, LogEntry
from games.models.lessons import LessonProgress
from games.models.moments import Moment
from games.models.ratings import RatedMatch, Rating, RatingChange, RatingPool
from games.models.tables import Seat, SweepMark, Table
from games.models.waiting import WaitingPlace

__all__ = [
    "ArchiveFile",
    "ArchivedLog",
    "ChatLine",
    "ChatMute",
    "Deal",
    "DealStatistics",
    "LessonProgress",
    "LogEntry",
    "Moment",
    "OrganiserAct",
    "RatedMatch",
    "Rating",
    "RatingChange",
    "RatingPool",
    "Report",
    "Seat",
    "Silence",
    "SweepMark",
    "Table",
    "WaitingPlace",
]

"""Events, who takes part, rounds and their tables, results, and the record of everything that was done.

Numbers of entries (1, 2, ... in each event) stand for players wherever seats, scores or draws
are kept: a person may be replaced or forgotten, the record stays readable. What is only ever added
(actions, draws, results, knock-outs) is guarded by the database.
"""

from tournaments.models.entries import Entry, KeptApart
from tournaments.models.events import Season, Tournament
from tournaments.models.records import Action, Payout
from tournaments.models.results import KnockedOut, Result
from tournaments.models.rounds import Draw, EventTable, Round, Sitting

__all__ = [
    "Action",
    "Draw",
    "Entry",
    "EventTable",
    "KeptApart",
    "KnockedOut",
    "Payout",
    "Result",
    "Round",
    "Season",
    "Sitting",
    "Tournament",
]

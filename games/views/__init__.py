"""Pages of the tables, of their history and of the statistics."""

from games.views.history import deal, deal_proof, deal_record
from games.views.tables import again, buy, fill, home, leave, lobby, new_table, play_now, rules, sit, table

__all__ = [
    "again",
    "buy",
    "deal",
    "deal_proof",
    "deal_record",
    "fill",
    "home",
    "leave",
    "lobby",
    "new_table",
    "play_now",
    "rules",
    "sit",
    "table",
]

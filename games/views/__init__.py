"""Pages of the tables, of their history and of the statistics."""

from games.views.fair import fair_deal, fair_proofs
from games.views.history import deal, deal_proof, deal_record, deal_steps, own_history, table_history
from games.views.statistics import deal_statistics
from games.views.tables import again, buy, fill, home, leave, lobby, new_table, play_now, rules, sit, table

__all__ = [
    "again",
    "buy",
    "deal",
    "deal_proof",
    "deal_record",
    "deal_statistics",
    "deal_steps",
    "fair_deal",
    "fair_proofs",
    "fill",
    "home",
    "leave",
    "lobby",
    "new_table",
    "own_history",
    "play_now",
    "rules",
    "sit",
    "table",
    "table_history",
]

"""What can be read of tables, deals and statistics without a lock."""

from games.selectors.causes import causes_of
from games.selectors.history import (
    DealsPage,
    Place,
    TablesPage,
    ended_deal,
    ended_deals,
    log_of,
    names_at,
    neighbours,
    past_tables,
    record_of,
    seats_at,
)
from games.selectors.proofs import Draw, first_draws, proof_of, proofs_of, seed_of, seeds_of
from games.selectors.replay import steps_of
from games.selectors.statistics import Numbers, all_statistics
from games.selectors.tables import (
    Running,
    first_state,
    head_of,
    heads_of,
    lobby,
    log_since,
    remembered,
    running,
    seat_of,
    staked_pots,
    tables_of,
)

__all__ = [
    "DealsPage",
    "Draw",
    "Numbers",
    "Place",
    "Running",
    "TablesPage",
    "all_statistics",
    "causes_of",
    "ended_deal",
    "ended_deals",
    "first_draws",
    "first_state",
    "head_of",
    "heads_of",
    "lobby",
    "log_of",
    "log_since",
    "names_at",
    "neighbours",
    "past_tables",
    "proof_of",
    "proofs_of",
    "record_of",
    "remembered",
    "running",
    "seat_of",
    "seats_at",
    "seed_of",
    "seeds_of",
    "staked_pots",
    "steps_of",
    "tables_of",
]

"""What can be read of tables, deals and statistics without a lock."""

from games.selectors.history import ended_deal, log_of, names_at, proof_of, record_of, seed_of
from games.selectors.tables import (
    cause_of,
    deal_state,
    first_state,
    head_of,
    heads_of,
    last_ply,
    lobby,
    log_since,
    remembered,
    running_deal,
    seat_of,
    staked_pots,
    tables_of,
)

__all__ = [
    "cause_of",
    "deal_state",
    "ended_deal",
    "first_state",
    "head_of",
    "heads_of",
    "last_ply",
    "lobby",
    "log_of",
    "log_since",
    "names_at",
    "proof_of",
    "record_of",
    "remembered",
    "running_deal",
    "seat_of",
    "seed_of",
    "staked_pots",
    "tables_of",
]

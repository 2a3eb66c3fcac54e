"""What the tables do when something happens elsewhere: the ledger asks them about the stakes they moved."""

from games import stakes
from games.selectors import causes_of, staked_pots
from games.services.auditing import check_table, staked_groups

stakes.answer_for_tables(check_table, expected=staked_groups, links=causes_of, pots=staked_pots)

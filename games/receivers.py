"""What the tables do when something happens elsewhere: the ledger's verification asks them about their stakes."""

from games import stakes
from games.services.auditing import check_table, staked_groups

stakes.answer_for_tables(check_table, expected=staked_groups)

"""Tables of an elimination go into storage and come back as they were, in every state of an orbit."""

from __future__ import annotations

import json
import random

from tournaments.rules import rotation
from tournaments.rules.floor import dump_table, load_table


def test_a_stored_table_is_the_table_whatever_happened_to_it() -> None:
    rng = random.Random(3)
    for _ in range(50):
        table = rotation.open_table([3, 1, 4, 15, 9], seats=7)
        for step in range(30):
            if table.in_deal:
                out = [p for p in table.players if rng.random() < 0.05 and len(table.players) > 3]
                table = rotation.finish_deal(table, knocked_out=out)
            elif rng.random() < 0.1 and table.free_seats:
                table = rotation.enter(table, 100 + step, rng.choice(table.free_seats))
            elif rng.random() < 0.1 and len(table.players) > 3:
                table = rotation.leave(table, rng.choice(table.players))
            elif rotation.next_deal(table) is not None:
                table = rotation.begin_deal(table)
            assert load_table(json.loads(json.dumps(dump_table(table)))) == table

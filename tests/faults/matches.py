"""A match through which something is killed, and what must hold of it afterwards."""

from __future__ import annotations

from collections.abc import Callable

from games.rules.record import parse_record, replay
from tests.faults.conftest import OwnSite
from tests.faults.player import Player

MATCH_SECONDS = 600
"""A match takes about half a minute, a long one on a busy machine ten times as much."""
MATCHES_TRIED = 5
"""With a low threshold the first declaration may end a match before there is a middle of it: 3 in 1000 end so."""


def in_mid_deal(player: Player) -> bool:
    """Whether a deal is running in which some moves were made."""
    table = player.state.get("table") or {}
    return table.get("status") == "playing" and len(player.versions) > 6


def play_through(own_site: OwnSite, fault: Callable[[], object], **choices: str) -> Player:
    """Start a match, let ``fault`` happen in the middle of a deal, and play on to the end."""
    for _ in range(MATCHES_TRIED):
        player = Player(
            own_site.address, "least_score", seats="3", threshold="25", declare_cap="None", **choices
        )
        player.play_until(lambda each: in_mid_deal(each) or each.finished(), seconds=MATCH_SECONDS)
        if not player.finished():
            break
    assert not player.finished(), "every match was over after a few moves"
    fault()
    player.play_until(Player.finished, seconds=MATCH_SECONDS)
    check_log(own_site, player)
    return player


def check_log(own_site: OwnSite, player: Player) -> None:
    """Versions and moves without gap or double, and every deal replays to its stored outcome."""
    rows = own_site.rows(
        "SELECT version FROM games_logentry WHERE table_id = %s ORDER BY version", player.table_id
    )
    assert [version for (version,) in rows] == list(range(1, len(rows) + 1))
    assert player.versions == sorted(set(player.versions)), "no view is shown twice or out of order"
    assert player.versions[-1] == len(rows)
    deals = own_site.rows(
        "SELECT number FROM games_deal WHERE table_id = %s ORDER BY number", player.table_id
    )
    assert [number for (number,) in deals] == list(range(1, len(deals) + 1))
    for (number,) in deals:
        played = replay(parse_record(player.get_json(f"deals/{number}/record.json")))
        assert played.refused is None

"""What goes on when something is killed in mid-deal: every match ends, nothing is lost and nothing played twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.rules.record import parse_record, replay
from tests.faults.conftest import OwnSite
from tests.faults.player import Player

pytestmark = pytest.mark.servers
MATCH_SECONDS = 240


def in_mid_deal(player: Player) -> bool:
    """Whether a deal is running in which some moves were made."""
    table = player.state.get("table") or {}
    return table.get("status") == "playing" and len(player.versions) > 6


def play_through(own_site: OwnSite, fault: Callable[[], object], **choices: str) -> Player:
    """Start a match, let ``fault`` happen in the middle of a deal, and play on to the end."""
    player = Player(own_site.address, "least_score", seats="3", threshold="25", declare_cap="None", **choices)
    player.play_until(in_mid_deal, seconds=60)
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


def test_a_killed_worker_for_bots_is_replaced_and_the_table_goes_on(own_site: OwnSite) -> None:
    assert play_through(own_site, lambda: own_site.kill("config.worker", "bots")).finished()


def test_a_killed_worker_for_the_clock_is_replaced_and_the_table_goes_on(own_site: OwnSite) -> None:
    assert play_through(own_site, lambda: own_site.kill("config.worker", "clock")).finished()


def test_a_killed_web_process_is_replaced_and_the_player_comes_back_to_the_same_table(
    own_site: OwnSite,
) -> None:
    assert play_through(own_site, lambda: own_site.kill("uvicorn")).finished()


def test_without_beat_for_a_moment_the_table_goes_on(own_site: OwnSite) -> None:
    assert play_through(own_site, lambda: own_site.kill("config.beat")).finished()


def test_everything_in_valkey_may_vanish_in_mid_deal(own_site: OwnSite) -> None:
    """All queued tasks and all subscriptions' messages are gone: the sweep and the pings make it good."""
    assert play_through(own_site, lambda: own_site.redis().flushall()).finished()


def test_all_connections_to_valkey_may_be_cut(own_site: OwnSite) -> None:
    def cut() -> None:
        for kind in ("PUBSUB", "NORMAL"):
            own_site.redis().execute_command("CLIENT", "KILL", "TYPE", kind)

    assert play_through(own_site, cut).finished()


def test_a_killed_valkey_is_started_again_and_the_table_goes_on(own_site: OwnSite) -> None:
    assert play_through(own_site, lambda: own_site.kill("valkey-server")).finished()


def test_a_killed_postgresql_is_started_again_and_the_table_goes_on(own_site: OwnSite) -> None:
    assert play_through(own_site, lambda: own_site.kill("postgres", "-D")).finished()


def test_a_killed_server_comes_back_on_its_folder_with_every_table(own_site: OwnSite) -> None:
    assert play_through(own_site, own_site.restart_whole).finished()

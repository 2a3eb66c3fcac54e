"""What goes on when a process of the site is killed in mid-deal: every match ends, nothing is lost or played twice."""

from __future__ import annotations

import pytest

from tests.faults.conftest import OwnSite
from tests.faults.matches import play_through

pytestmark = pytest.mark.servers


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


def test_a_killed_server_comes_back_on_its_folder_with_every_table(own_site: OwnSite) -> None:
    assert play_through(own_site, own_site.restart_whole).finished()

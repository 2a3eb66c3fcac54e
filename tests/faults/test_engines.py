"""What goes on when an engine fails in mid-deal: every match ends, nothing is lost or played twice."""

from __future__ import annotations

import pytest

from tests.faults.conftest import OwnSite
from tests.faults.matches import play_through

pytestmark = pytest.mark.servers


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

"""Watching: a delay at staked tables, on the socket and on every page, and a limit of watchers."""

from __future__ import annotations

import asyncio
import datetime as dt
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db.models import F
from django.test import Client as Browser

from clubs.models import User
from games import selectors, services
from games.errors import TableRefusal
from games.models import Deal, LogEntry, Moment, Table
from games.presence import watchers_at
from games.services.clockwork import _database_time
from games.services.locked import TABLE_COLUMNS
from games.services.moments import PRUNE_EVERY, keep_moment
from games.snapshots import TableSnapshot
from games.table_view import state_frame
from tests.games.sockets import PATIENCE, Client, connected
from tests.games.tables import SEATS, member, play_one, start

DELAY = 30


def delayed_table(game: str, *members: User, delay: int = DELAY, **options: Any) -> Table:
    """Open a table whose watchers see it ``delay`` seconds later."""
    seats = SEATS[game]
    return services.open_table(
        game=game,
        options=options,
        clock="club",
        members=dict(enumerate(members, start=1)),
        bots=dict.fromkeys(range(len(members) + 1, seats + 1), "random"),
        opened_by=members[0],
        watch_delay=delay,
        pace_ms=0,
        bot_think_ms=0,
    )


def pass_seconds(table: Table, seconds: float) -> None:
    """Let time pass at a table: everything kept of it is that much older."""
    earlier = dt.timedelta(seconds=seconds)
    Moment.objects.filter(table=table).update(at=F("at") - earlier)
    Deal.objects.filter(table=table, ended_at__isnull=False).update(ended_at=F("ended_at") - earlier)


def watched(table: Table) -> dict[str, Any]:
    """Return the frame that a watcher would be shown now."""
    snapshot = TableSnapshot(table.id).for_watchers()
    return state_frame(snapshot, seat=None, events=[], now=_database_time())


def lived(table: Table) -> dict[str, Any]:
    """Return the frame that a watcher without a delay would be shown now."""
    return state_frame(TableSnapshot(table.id), seat=None, events=[], now=_database_time())


def same(past: dict[str, Any], live: dict[str, Any]) -> bool:
    """Whether two frames show the same, but for times (which moved on by the delay) and the delay itself."""
    moved = {"delay", "next_deal_at", "clock"}
    table, other = past["table"], live["table"]
    clock, running = table["clock"] or {}, other["clock"] or {}
    times = ("started", "deadline", "stopped")
    return (
        past["v"] == live["v"]
        and {key: table[key] for key in table.keys() - moved} == {k: other[k] for k in other.keys() - moved}
        and {key: clock[key] for key in clock.keys() - {*times}}
        == {key: running[key] for key in running.keys() - {*times}}
        and all(abs(clock[t] - running[t] - DELAY * 1000) <= 1 for t in times if running.get(t))
    )


@pytest.mark.django_db
@pytest.mark.parametrize("game", sorted(SEATS))
def test_a_watcher_is_shown_every_view_of_a_match_exactly_as_it_was(game: str) -> None:
    """Each commit of a whole match is compared with what is shown once it is old enough."""
    options = {"threshold": 25} if game == "least_score" else {}
    table = delayed_table(game, member("mari"), **options)
    shown = {}
    for _ in range(40):
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            break
        if table.status == Table.Status.BETWEEN:
            start(table)
        else:
            play_one(table)
        shown[lived(table)["v"]] = lived(table)
    assert watched(table)["v"] == 0, "nothing is old enough yet"
    moments = list(Moment.objects.filter(table=table, version__in=shown).order_by("version"))
    assert len(moments) == len(shown) > 5
    now = _database_time()
    for moment in moments:
        Moment.objects.filter(table=table).update(at=now)
        Moment.objects.filter(table=table, version__lte=moment.version).update(
            at=now - dt.timedelta(seconds=DELAY)
        )
        assert same(watched(table), shown[moment.version]), moment.version


@pytest.mark.django_db
def test_the_delay_is_half_a_minute_at_staked_tables_and_none_at_casual_ones() -> None:
    table = services.play_now(
        user=member("mari"), game="least_score", seats=3, level="random", clock="club", options={}
    )
    assert table.watch_delay == 0
    assert services.opening.STAKED_WATCH_DELAY == 30
    with pytest.raises(TableRefusal, match="bad_watch_delay"):
        delayed_table("least_score", member("jaan"), delay=601)


@pytest.mark.django_db
def test_before_the_first_deal_everybody_sees_who_sits_where() -> None:
    table = delayed_table("least_score", member("mari"))
    assert same(watched(table) | {"table": watched(table)["table"]}, lived(table))
    assert watched(table)["table"]["delay"] == 0


@pytest.mark.django_db
def test_only_moments_that_may_still_be_shown_are_kept() -> None:
    table = delayed_table("least_score", member("mari"))
    start(table)
    for _ in range(3 * PRUNE_EVERY):
        pass_seconds(table, 10)
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            break
        if table.status == Table.Status.BETWEEN:
            start(table)
        else:
            play_one(table)
        # What was made since they were removed, and what the watchers' delay still hides.
        assert Moment.objects.filter(table=table).count() <= PRUNE_EVERY + DELAY // 10 + 2
    assert watched(table)["v"] > 0


@pytest.mark.django_db
def test_moments_piled_up_when_a_transaction_passed_the_version_over_at_which_they_are_removed() -> None:
    table = delayed_table("least_score", member("mari"))
    start(table)
    play_one(table)
    pass_seconds(table, DELAY + 1)
    table.refresh_from_db()
    shown, table.version = table.version, 2 * PRUNE_EVERY + 1
    keep_moment(table, table.seats.all(), TABLE_COLUMNS, _database_time(), before=2 * PRUNE_EVERY - 1)
    kept = Moment.objects.filter(table=table).order_by("version").values_list("version", flat=True)
    assert list(kept) == [shown, table.version]


@pytest.mark.django_db
def test_a_moment_holds_no_cards_no_nonces_and_no_accounts() -> None:
    mari = member("mari")
    table = delayed_table("least_score", mari)
    services.choose_nonce(table_id=table.id, user_id=mari.pk, nonce="my own number")
    start(table)
    for moment in Moment.objects.filter(table=table):
        assert not moment.row.keys() & {"chain_end", "commitment", "pot_account"}
        assert all(not seat.keys() & {"nonce", "account", "wallet"} for seat in moment.seats)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["deals/1/", "deals/1/steps.json?hands=open", "deals/1/record.json", "deals/1/proof.json"],
)
def test_no_page_tells_a_watcher_of_a_deal_before_its_time(path: str) -> None:
    mari = member("mari")
    table = delayed_table("three_card_loo", mari)
    start(table)
    while table.status == Table.Status.PLAYING:
        play_one(table)
        table.refresh_from_db()
    address = f"/tables/{table.id}/{path}"
    player, watcher = Browser(), Browser()
    player.force_login(mari)
    assert player.get(address).status_code == 200
    assert watcher.get(address).status_code in (302, 409)
    seed = selectors.seed_of(table, 1).hex()
    pages = [
        f"/tables/{table.id}/history/",
        f"/tables/{table.id}/fair/",
        f"/tables/{table.id}/fair/proofs.json",
    ]
    for page in (*pages, f"/tables/{table.id}/", f"/tables/{table.id}/log.json"):
        text = watcher.get(page).content.decode()
        assert "deals/1/" not in text and seed not in text and '"deal_over"' not in text, page
    assert all(
        marker in player.get(page).content.decode()
        for page, marker in zip(pages, ("deals/1/", seed, seed), strict=True)
    )
    pass_seconds(table, DELAY + 1)
    assert watcher.get(address).status_code == 200
    assert seed in watcher.get(pages[1]).content.decode()


@pytest.mark.django_db
def test_the_form_of_a_report_does_not_tell_a_delayed_watcher_that_a_deal_is_over() -> None:
    mari = member("mari")
    table = delayed_table("three_card_loo", mari)
    start(table)
    while table.status == Table.Status.PLAYING:
        play_one(table)
        table.refresh_from_db()
    player, watcher = Browser(), Browser()
    player.force_login(mari)
    watcher.force_login(member("jaan"))
    path = f"/tables/{table.id}/report/"
    said = {"deal": "1", "reason": "suspicion", "note": "odd"}
    assert player.get(path, {"deal": "1"}).status_code == 200
    assert watcher.get(path, {"deal": "1"}).status_code == 404
    assert watcher.post(path, said).status_code == 404
    pass_seconds(table, DELAY + 1)
    assert watcher.get(path, {"deal": "1"}).status_code == 200
    assert watcher.post(path, said).status_code == 302


# Sockets --------------------------------------------------------------------------------------------------------------
@pytest.mark.committed
@pytest.mark.usefixtures("closed_hub")
async def test_a_delayed_watcher_hears_of_nothing_new_and_is_shown_it_when_its_time_has_come() -> None:
    mari = await sync_to_async(member)("mari")
    delay = 300  # All that is looked at before its time must be done within it, also on a busy machine.
    table = await sync_to_async(delayed_table)("least_score", mari, delay=delay)
    await sync_to_async(start)(table)
    player, watcher = await connected(table, mari), await connected(table)
    assert watcher.state["table"]["delay"] == delay and player.state["table"]["delay"] == 0
    assert watcher.state["v"] < player.state["v"]
    for _ in range(3):
        await sync_to_async(play_one)(await sync_to_async(Table.objects.get)(pk=table.pk))
    live = await sync_to_async(selectors.head_of)(table.id)
    assert live is not None
    await player.version(live)
    await watcher.say(t="ping")
    assert (await watcher.kind("pong"))["v"] < player.state["v"]
    await watcher.say(t="resync")
    assert (await watcher.kind("state"))["v"] < player.state["v"]
    await check_age(table, watcher.frames, delay=delay)
    frames, passed = len(watcher.frames), delay - 1
    await sync_to_async(pass_seconds)(table, passed)
    newcomer = await connected(table)  # Who comes lets the hub look anew at when the next view is due.
    await watcher.version(live)
    await check_age(table, watcher.frames[frames:], delay=delay - passed)
    told = [event["type"] for frame in watcher.frames[frames:] for event in frame.get("events", ())]
    assert told.count("discard") == 3, "what happened comes along with the view"
    for client in (player, watcher, newcomer):
        await client.socket.disconnect()


async def check_age(table: Table, frames: list[dict[str, Any]], *, delay: float) -> None:
    """Every view that was sent is of a version whose entry was old enough when it was sent."""
    at = await sync_to_async(
        lambda: {entry.version: entry.at.timestamp() * 1000 for entry in LogEntry.objects.filter(table=table)}
    )()
    for frame in frames:
        if frame["t"] == "state" and frame["v"]:
            assert frame["now"] - at[frame["v"]] >= delay * 1000


@pytest.mark.committed
@pytest.mark.usefixtures("closed_hub")
async def test_who_leaves_a_seat_goes_on_as_a_watcher_and_sees_no_card_of_the_seat() -> None:
    mari, jaan = await sync_to_async(member)("mari"), await sync_to_async(member)("jaan")
    table = await sync_to_async(delayed_table)("least_score", mari, jaan, delay=0)
    await sync_to_async(start)(table)
    client = await connected(table, jaan)
    assert client.state["table"]["you"] == 2 and client.state["table"]["deal"]["hand"]
    version = await sync_to_async(services.leave_table)(table_id=table.id, user_id=jaan.pk)
    frame = await client.version(version)
    assert frame["table"]["you"] is None and not frame["table"]["deal"].get("hand")
    await client.socket.disconnect()


@pytest.mark.committed
@pytest.mark.usefixtures("closed_hub")
@pytest.mark.parametrize("limit", ["WATCHERS_PER_TABLE", "WATCHERS_PER_PROCESS"])
async def test_watchers_above_the_limit_are_refused_with_a_sentence_and_players_never(
    settings: Any, limit: str
) -> None:
    setattr(settings, limit, 2)
    mari = await sync_to_async(member)("mari")
    table = await sync_to_async(delayed_table)("least_score", mari, delay=0)
    watchers = [await connected(table) for _ in range(2)]
    third = Client(table)
    assert await third.connect()
    refused = await third.kind("bye")
    assert refused["code"] == "too_many_watchers" and refused["message"]
    assert await third.closed() == 1013
    player = await connected(table, mari)
    for client in (*watchers, player):
        await client.socket.disconnect()
    async with asyncio.timeout(PATIENCE):
        while await sync_to_async(watchers_at)(table.id):
            await asyncio.sleep(0.1)
    again = await connected(table)
    await again.socket.disconnect()

"""The course of a match on the real socket: what each viewer is shown, what is refused, what a reload brings back."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from clubs.models import User
from games import messages
from games.consumers import COURSE_ACTS
from games.models import Table
from tests.games.sockets import Client, connected
from tests.games.tables import first_legal, member

pytestmark = [pytest.mark.committed, pytest.mark.usefixtures("closed_hub")]


def test_every_act_that_a_client_may_name_is_done_somewhere() -> None:
    assert {*COURSE_ACTS, "again"} == set(messages.COURSE)


async def act(client: Client, name: str) -> dict[str, Any]:
    """Send an act and return the next view."""
    seen = client.state["v"]
    await client.say(t="course", do=name)
    return await client.version(seen + 1)


async def shown(client: Client, version: int) -> dict[str, Any]:
    """Return the client's view, read on until it is at least of ``version``."""
    return client.state if client.state["v"] >= version else await client.version(version)


async def test_a_pause_from_offer_to_end_as_both_members_a_watcher_and_a_reloaded_page_see_it(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    own, other, watcher = await connected(table, mari), await connected(table, jaan), await connected(table)
    await act(own, "pause")
    view = await shown(other, own.state["v"])
    assert view["table"]["course"]["pause"]["running"] is False
    assert {"agree", "decline"} <= set(view["table"]["course"]["can"])
    assert [event["type"] for event in view["events"]] == ["pause_offered"]
    await act(other, "agree")
    for client in (own, other, watcher):
        table_view = (await shown(client, other.state["v"]))["table"]
        assert table_view["course"]["pause"]["running"] and table_view["clock"]["stopped"]
    reloaded = await connected(table, mari)
    assert reloaded.state["table"] == own.state["table"]
    assert watcher.state["table"]["course"]["can"] == []
    move = await sync_to_async(first_legal)(table)
    await own.say(t="move", id=str(uuid4()), v=own.state["v"], m=move)
    assert (await own.kind("refused"))["code"] == "paused"
    await act(other, "go_on")
    await shown(own, other.state["v"])
    assert own.state["table"]["course"]["pause"] is None and own.state["table"]["clock"]["stopped"] is None
    await own.say(t="move", id=str(uuid4()), v=own.state["v"], m=move)
    await own.kind("ok")
    for client in (own, other, watcher, reloaded):
        await client.socket.disconnect()


async def test_an_act_that_does_not_exist_is_a_bad_message(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, _ = running_table
    client = await connected(table, mari)
    for frame in ('{"t": "course"}', '{"t": "course", "do": "win"}', '{"t": "course", "do": 7}'):
        await client.socket.send_to(frame)
        assert (await client.kind("refused"))["code"] == "bad_message", frame
    await client.socket.disconnect()


async def test_a_watcher_changes_nothing_of_the_course(running_table: tuple[Table, User, User]) -> None:
    table, _, _ = running_table
    tiit = await sync_to_async(member)("tiit")
    client = await connected(table, tiit)
    for name in messages.COURSE:
        await client.say(t="course", do=name)
        assert (await client.kind("refused"))["code"] == "not_seated"
    await client.socket.disconnect()


async def test_the_early_end_and_the_way_to_the_next_match(running_table: tuple[Table, User, User]) -> None:
    table, mari, jaan = running_table
    own, other = await connected(table, mari), await connected(table, jaan)
    await act(other, "stand_in")
    await shown(own, other.state["v"])
    assert "end_now" in own.state["table"]["course"]["can"]
    await act(own, "end_now")
    assert own.state["table"]["status"] == "finished"
    assert own.state["table"]["ranking"][-1] == [3, 2]
    assert own.state["table"]["course"]["abandoned"] == [2]
    await act(own, "again")
    following = own.state["table"]["course"]["rematch"]
    assert following["seats"] == [1] and own.state["events"][-1]["table"] == following["table"]
    await shown(other, own.state["v"])
    await act(other, "again")
    assert other.state["table"]["course"]["rematch"]["seats"] == [1, 2]
    for client in (own, other):
        await client.socket.disconnect()


async def test_after_a_reload_the_log_is_told_to_each_as_they_may_know_it(
    running_table: tuple[Table, User, User],
) -> None:
    """The log began empty after every reload."""
    table, mari, jaan = running_table
    told: dict[str, list[dict[str, object]]] = {}
    for name, user in (("mari", mari), ("jaan", jaan), ("watcher", None)):
        browser = AsyncClient()
        if user is not None:
            await browser.aforce_login(user)
        answer = (await browser.get(f"/tables/{table.id}/log.json")).json()
        assert answer["v"] == await sync_to_async(lambda: Table.objects.get(pk=table.pk).version)()
        told[name] = answer["events"]
    kinds = [[event["type"] for event in events] for events in told.values()]
    assert kinds[0] == kinds[1] == kinds[2] and {"deal", "dealt"} <= set(kinds[0])
    hands = [
        next(event for event in events if event["type"] == "dealt").get("hand") for events in told.values()
    ]
    assert hands[0] and hands[1] and hands[0] != hands[1] and hands[2] is None

"""Hints at the table: who may ask, what is told and to whom, and that asking leaves no trace."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from clubs.models import User
from games import consumers, selectors, services
from games.errors import TableRefusal
from games.hub import hub
from games.models import LogEntry, Table
from games.rules import GAMES
from tests.games.sockets import connected
from tests.games.tables import SEATS, member, on_turn, state_of


@pytest.fixture
def table(db: None) -> tuple[Table, User]:
    mari = member("mari")
    return on_turn("three_card_loo", mari), mari


@pytest.mark.django_db
@pytest.mark.parametrize("game", sorted(SEATS))
def test_the_one_on_turn_gets_a_legal_move_with_reasons_and_nothing_is_written(game: str) -> None:
    mari = member("mari")
    found = on_turn(game, mari)
    written, version = LogEntry.objects.count(), found.version
    hint = selectors.hint_for(table_id=found.pk, user_id=mari.pk)
    assert hint.move in GAMES[game].legal_moves(state_of(found)) and hint.reasons
    assert selectors.hint_for(table_id=found.pk, user_id=mari.pk) is hint, "asking again costs nothing"
    found.refresh_from_db()
    assert (LogEntry.objects.count(), found.version) == (written, version)


REFUSED = {
    "rated": ({"rated": True}, "no_hints"),
    "at an event": ({"origin": "evening 1"}, "no_hints"),
    "between deals": ({"status": "between", "turn_seat": None}, "no_deal"),
    "on somebody else's turn": ({"turn_seat": 2}, "not_your_turn"),
}


@pytest.mark.parametrize("when", REFUSED)
def test_no_hint(table: tuple[Table, User], when: str) -> None:
    found, mari = table
    changes, code = REFUSED[when]
    Table.objects.filter(pk=found.pk).update(**changes)
    with pytest.raises(TableRefusal) as refused:
        selectors.hint_for(table_id=found.pk, user_id=mari.pk)
    assert refused.value.code == code and refused.value.message


def test_no_hint_for_watchers_nor_for_who_lets_a_bot_play(table: tuple[Table, User]) -> None:
    found, mari = table
    jaan = member("jaan")
    for user_id in (None, jaan.pk):
        with pytest.raises(TableRefusal, match="not_seated"):
            selectors.hint_for(table_id=found.pk, user_id=user_id)
    found.seats.filter(user=mari).update(stand_in=True)
    with pytest.raises(TableRefusal, match="stand_in_plays"):
        selectors.hint_for(table_id=found.pk, user_id=mari.pk)


@pytest.fixture
async def closed_hub() -> AsyncIterator[None]:
    """The test has an event loop of its own, and so a hub of its own."""
    yield
    await hub().close()


@pytest.mark.committed
async def test_a_hint_goes_to_its_asker_alone_and_too_many_are_refused(closed_hub: None) -> None:
    mari = await sync_to_async(member)("mari")
    found = await sync_to_async(on_turn)("least_score", mari)
    asking, watching = await connected(found, mari, language="et"), await connected(found)
    answers: list[dict[str, Any]] = []
    # On a busy machine some come back meanwhile.
    while not answers or answers[-1]["t"] == "hint":
        await asking.say(t="hint", id=f"hint {len(answers)}")
        answers.append(await asking.read(lambda frame: frame["t"] in ("hint", "refused")))
    *hints, refused = answers
    hint = hints[-1]
    assert hint["v"] == found.version and len(hint["words"]) == len(hint["reasons"]) > 0
    assert (refused["code"], refused["id"]) == ("hint_too_fast", f"hint {len(hints)}")
    assert len(hints) >= consumers.HINTS_PER_WINDOW
    await watching.say(t="hint")
    assert (await watching.kind("refused"))["code"] == "not_seated"
    await sync_to_async(services.play_move)(
        table_id=found.pk, user_id=mari.pk, move=hint["move"], version=found.version, command_id=found.pk
    )
    await watching.version(found.version + 1)
    assert not any(frame["t"] == "hint" for frame in watching.frames)
    assert watching.state["table"]["hints"] is True
    for client in (asking, watching):
        await client.socket.disconnect()

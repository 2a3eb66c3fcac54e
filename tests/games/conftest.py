"""What tests of tables and sockets share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from clubs.models import User
from games.hub import hub
from games.models import Table
from tests.games.tables import table_on_turn


@pytest.fixture
async def closed_hub() -> AsyncIterator[None]:
    """Each test has an event loop of its own, and so a hub of its own."""
    yield
    await hub().close()


@pytest.fixture
def running_table() -> tuple[Table, User, User]:
    """A table of two members and a bot, a deal being played and the first member on turn."""
    return table_on_turn()

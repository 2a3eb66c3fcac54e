"""Ending what a process does beside its sockets."""

from __future__ import annotations

import asyncio

from games.listening import end_tasks
from tests.games.sockets import PATIENCE


async def test_a_task_that_swallows_a_request_to_stop_is_asked_again() -> None:
    """The server's end once waited for ever: an answer came together with the request, which was lost."""
    asked = 0

    async def stubborn() -> None:
        nonlocal asked
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                asked += 1
                if asked > 1:
                    raise

    task = asyncio.get_running_loop().create_task(stubborn())
    await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        await end_tasks([task])
    assert task.cancelled() and asked == 2

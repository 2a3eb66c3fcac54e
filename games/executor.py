"""The threads in which a process with sockets uses the database: a few, so that no crowd of sockets takes all connections."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.db import connections

EXECUTOR_THREADS = 4
"""Enough to wait for locks and disks; with twice as many each move cost a fifth more, all waiting for the interpreter."""

T = TypeVar("T")

_executor = ThreadPoolExecutor(max_workers=EXECUTOR_THREADS, thread_name_prefix="table")


async def in_thread(function: Callable[..., T], **kwargs: Any) -> T:
    """Run a function that uses the database on a bounded executor and give its connection back.

    What is logged there names the table and the member that this task works for.
    """
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(
        _executor, partial(context.run, _with_connection, function, kwargs)
    )


def _with_connection(function: Callable[..., T], kwargs: dict[str, Any]) -> T:
    try:
        return function(**kwargs)
    finally:
        connections.close_all()

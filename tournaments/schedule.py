"""What must happen soon at an event: a task after the commit. The guarantee is the sweep (``tournaments.tasks``)."""

from __future__ import annotations

from uuid import UUID

from celery import current_app

from games.broadcast import after_commit

ORIGIN_PREFIX = "tournament/"


def origin_of(tournament_id: UUID) -> str:
    """Return how tables name the event that they belong to."""
    return f"{ORIGIN_PREFIX}{tournament_id}"


def tournament_of(origin: str) -> UUID | None:
    """Return the event that an ``origin`` names, or ``None`` if it names something else."""
    return UUID(origin.removeprefix(ORIGIN_PREFIX)) if origin.startswith(ORIGIN_PREFIX) else None


def settle_after_commit(tournament_id: UUID) -> None:
    """Have the event take over what its tables have played, once the surrounding transaction is committed."""

    def send() -> None:
        current_app.send_task(
            "tournaments.tasks.settle",
            args=(str(tournament_id),),
            queue="clock",
            ignore_result=True,
            retry=False,
        )

    after_commit(send)

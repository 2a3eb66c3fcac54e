"""The Celery application of the workers, and of everybody who sends a task.

CELERY_TASK_ROUTES in the settings sends each task to its queue: `clock` (deadlines, must never wait), `bots` (thinking)
or `default`.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import task_postrun, task_prerun, worker_ready
from django.conf import settings
from structlog.contextvars import bind_contextvars, unbind_contextvars

from config.timetable import SWEEP

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("cardclub")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.visibility_timeout = settings.CELERY_VISIBILITY_TIMEOUT
app.autodiscover_tasks()
app.autodiscover_tasks(["config"], related_name="mail")


@app.task(name="config.heartbeat")
def heartbeat(queue: str) -> None:
    """Say that a worker takes tasks from `queue`; /healthz reads it."""
    from config.health import note

    note(f"worker:{queue}")


@app.task(name="config.sample", expires=60)
def sample() -> None:
    """Keep what the site did in this minute, for the keeper's page."""
    from config.samples import take

    take()


@app.task(name="config.forget_sessions", expires=3600)
def forget_sessions() -> None:
    """Delete what is left of sessions that are over."""
    from config import forgetting

    forgetting.forget_sessions()


@worker_ready.connect
def _note_worker(sender: Any, **_: Any) -> None:
    """A worker that just came up need not wait for its first heartbeat task to count."""
    for queue in sender.task_consumer.queues:
        heartbeat(queue.name)


@task_prerun.connect
def _bind_task(task_id: str, task: Any, args: Any = (), **_: Any) -> None:
    """Let everything that the task logs say which task it was, and at which table if it is about one."""
    about = {"table": args[0]} if task.name.startswith("games.tasks.") and args else {}
    bind_contextvars(task=task_id, **about)


@task_postrun.connect
def _unbind_task(**_: Any) -> None:
    unbind_contextvars("task", "table")


@task_postrun.connect
def _note_sweep(sender: Any, state: str | None = None, **_: Any) -> None:
    """Remember when the sweep of deadlines last went well; /healthz reads it."""
    if sender.name == SWEEP and state == "SUCCESS":
        from config.health import note

        note("sweep")

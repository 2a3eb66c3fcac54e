"""The Celery application: who works, and what happens at which interval.

CELERY_TASK_ROUTES in the settings sends each task to its queue: `clock` (deadlines, must never wait), `bots` (thinking)
or `default`.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import task_postrun, worker_ready
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("cardclub")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.visibility_timeout = settings.CELERY_VISIBILITY_TIMEOUT
app.autodiscover_tasks()

SWEEP = "games.tasks.sweep"


def every(seconds: float, task: str, queue: str, *args: Any) -> dict[str, Any]:
    """Return a beat entry; a run that waited longer than its interval is dropped, since the next one does its work."""
    return {
        "task": task,
        "schedule": seconds,
        "args": args,
        "options": {"queue": queue, "expires": max(seconds, 5)},
    }


# Beat keeps no file: after a restart every interval starts anew, and nothing here minds being run twice.
app.conf.beat_schedule = {
    **{f"heartbeat-{queue}": every(5, "config.heartbeat", queue, queue) for queue in settings.WORKER_QUEUES},
    "sweep": every(1, SWEEP, "clock"),
    "seal": every(10, "ledger.tasks.seal", "clock"),
    "verify-new": every(3600, "ledger.tasks.verify_new", "default"),
    "verify-all": {
        **every(3600, "ledger.tasks.verify_all", "default"),
        "schedule": crontab(hour="2", minute="30"),
    },
}


@app.task(name="config.heartbeat")
def heartbeat(queue: str) -> None:
    """Say that a worker takes tasks from `queue`; /healthz reads it."""
    from config.health import note

    note(f"worker:{queue}")


@worker_ready.connect
def _note_worker(sender: Any, **_: Any) -> None:
    """A worker that just came up need not wait for its first heartbeat task to count."""
    for queue in sender.task_consumer.queues:
        heartbeat(queue.name)


@task_postrun.connect
def _note_sweep(sender: Any, state: str | None = None, **_: Any) -> None:
    """Remember when the sweep of deadlines last went well; /healthz reads it."""
    if sender.name == SWEEP and state == "SUCCESS":
        from config.health import note

        note("sweep")

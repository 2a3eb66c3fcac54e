"""What happens by itself, and when. Beat reads it without the rest of the site, so nothing here imports Django."""

from __future__ import annotations

from typing import Any

from celery.schedules import crontab

QUEUES = ("clock", "bots", "default")
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
TIMETABLE: dict[str, dict[str, Any]] = {
    **{f"heartbeat-{queue}": every(5, "config.heartbeat", queue, queue) for queue in QUEUES},
    "sample": every(60, "config.sample", "default"),
    "sweep": every(1, SWEEP, "clock"),
    "reap": every(60, "games.tasks.reap", "default"),
    "events": every(2, "tournaments.tasks.sweep", "clock"),
    "turns": every(60, "games.tasks.remind", "default"),
    "event-reminders": every(60, "tournaments.tasks.remind", "default"),
    "notice-mails": every(60, "clubs.tasks.mail_notices", "default"),
    "forget-notices": {
        **every(3600, "clubs.tasks.forget_notices", "default"),
        "schedule": crontab(hour="3", minute="50"),
    },
    "statistics": every(60, "games.tasks.count_deals", "default"),
    "forget-chat": {
        **every(3600, "games.tasks.forget_chat", "default"),
        "schedule": crontab(hour="3", minute="40"),
    },
    "forget-sessions": {
        **every(3600, "config.forget_sessions", "default"),
        "schedule": crontab(hour="3", minute="50"),
    },
    # When last night's sessions are gone: a guest is who has one.
    "forget-guests": {
        **every(3600, "clubs.tasks.forget_guests", "default"),
        "schedule": crontab(hour="4", minute="0"),
    },
    "archive-deals": {
        **every(3600, "games.tasks.archive_deals", "default"),
        "schedule": crontab(hour="4", minute="10"),
    },
    "seal": every(10, "ledger.tasks.seal", "clock"),
    "verify-new": every(3600, "ledger.tasks.verify_new", "default"),
    "verify-all": {
        **every(3600, "ledger.tasks.verify_all", "default"),
        "schedule": crontab(hour="2", minute="30"),
    },
}

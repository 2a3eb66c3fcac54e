"""Celery's beat without the site behind it: `python -m config.beat`.

It sends names of tasks at their times and needs no more than the broker: less than half the memory of a process that
loads Django and every app.
"""

from __future__ import annotations

import logging.config
import os
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from config import pulse
from config.addresses import celery_broker
from config.embedded import redis_address
from config.logs import configuration
from config.timetable import TIMETABLE

VAR_DIR = Path(os.environ.get("VAR_DIR") or Path(__file__).resolve().parent.parent / "var")
REDIS_URL = redis_address(os.environ, VAR_DIR)

app = Celery("cardclub-beat", broker=celery_broker(os.environ.get("BROKER_URL") or REDIS_URL))
app.conf.update(
    beat_schedule=TIMETABLE,
    broker_connection_retry_on_startup=True,
    task_ignore_result=True,
    timezone="UTC",
)


@setup_logging.connect
def _log_as_the_others_do(**_: Any) -> None:
    """Celery, told that somebody sees to it, leaves the log alone."""
    given = {"level": "WARNING", "process": "beat", "form": os.environ.get("LOG_FORMAT") or "line"}
    logging.config.dictConfig(configuration(**given))


if __name__ == "__main__":
    pulse.start("beat", REDIS_URL)
    # No schedule file: there is nothing in it that a restart should remember, and a kill could spoil it.
    app.Beat(scheduler_cls="celery.beat:Scheduler", loglevel="WARNING", quiet=True).run()

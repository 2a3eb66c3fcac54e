"""How the log is written: as lines for people, or as one JSON object a line for machines (LOG_FORMAT=json).

Either way a line says which request, table, member or task it belongs to, as far as that is known: whoever begins
to work for one of them binds its number (`structlog.contextvars.bind_contextvars`), and everything that is logged
meanwhile carries it. Numbers only: no card, no name, no session and no address of a page.
Beat uses this too, so nothing here imports Django.
"""

from __future__ import annotations

import logging
from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any

import structlog

FORMATS = ("line", "json")
# The request that this thread or task is answering, None outside of any.
answering: ContextVar[Any] = ContextVar("answering", default=None)


class NotHealthz(logging.Filter):
    """Keeps Django from logging each 503 of the health page, which logs by itself what changed."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether `record` is about any other page."""
        request = getattr(record, "request", None)
        return getattr(request, "path", "") != "/healthz"


def context_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the numbers of what `record` belongs to: request, table, user, task."""
    found = dict(structlog.contextvars.get_contextvars())
    request = getattr(record, "request", None) or answering.get()
    if hasattr(request, "number"):
        found["request"] = request.number
        # Whoever has not been asked for yet is not asked for by the log: that would be a query.
        user = getattr(getattr(request, "_cached_user", None), "pk", None)
        match = getattr(request, "resolver_match", None)
        table = match.kwargs.get("table_id") if match is not None else None
        found |= {"user": user} if user else {}
        found |= {"table": str(table)} if table else {}
    return found


class Line(logging.Formatter):
    """One line for people, with the numbers at its end."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line, before the traceback that may follow."""
        numbers = " ".join(f"{name}={value}" for name, value in sorted(context_of(record).items()))
        line = super().formatMessage(record)
        return f"{line} [{numbers}]" if numbers else line


class Json(structlog.stdlib.ProcessorFormatter):
    """One JSON object a line: time, level, process, logger, event, the numbers, and an exception's traceback."""

    def __init__(self, process: str) -> None:
        def describe(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
            record = event["_record"]
            return {"process": process, "logger": record.name, **context_of(record), **event}

        super().__init__(
            foreign_pre_chain=[
                describe,
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                # Tracebacks as text: their variables hold hands and seeds.
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )


def configuration(*, level: str, form: str, process: str) -> dict[str, Any]:
    """Return what `logging.config.dictConfig` takes: everything to standard error, for whoever supervises the processes.

    `form` is one of `FORMATS`.
    """
    line = {"()": Line, "fmt": f"{{asctime}} {process} {{levelname}} {{name}}: {{message}}", "style": "{"}
    # Django, uvicorn and Celery bring handlers of their own, which would print the same lines twice or in another form.
    plain = {"handlers": [], "level": level, "propagate": True}
    # At its lowest level uvicorn writes down every header, the session's cookie among them.
    wordy = {**plain, "level": "INFO" if level == "DEBUG" else level}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": line, "json": {"()": Json, "process": process}},
        "filters": {"not_healthz": {"()": NotHealthz}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": form}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            **dict.fromkeys(("django", "django.server"), plain),
            **dict.fromkeys(("uvicorn", "uvicorn.error", "uvicorn.access"), wordy),
            "django.request": {"filters": ["not_healthz"]},
            # One line per task would be two a second from the sweep alone.
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
        },
    }

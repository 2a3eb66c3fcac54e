"""What the log leaves out."""

from __future__ import annotations

import logging


class NotHealthz(logging.Filter):
    """Keeps Django from logging each 503 of the health page, which logs by itself what changed."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether `record` is about any other page."""
        request = getattr(record, "request", None)
        return getattr(request, "path", "") != "/healthz"

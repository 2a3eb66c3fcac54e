"""What a process counts of its refusals, for /metrics."""

from __future__ import annotations

from prometheus_client import Counter

REFUSALS = Counter("cardclub_event_refusals", "Refusals of the events by their code.", ["code"])

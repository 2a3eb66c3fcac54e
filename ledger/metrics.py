"""What a process counts of its refusals, for /metrics."""

from __future__ import annotations

from prometheus_client import Counter

REFUSALS = Counter("cardclub_ledger_refusals", "Refusals of the ledger by their code.", ["code"])

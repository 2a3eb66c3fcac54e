"""Which club an address belongs to, and who may come in: asked before every view, so that none can forget it.

The apps above say what the parts of their addresses name (``register_gate``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clubs.models import Club
from clubs.selectors.clubs import Person, club_gate

Gate = Callable[[Any, Person, str], Club | None]
"""Takes the value in the address, who asks and the address's name (``games:table``). Returns the club of what is named, or
``None`` when there is nothing of that kind for the person."""

_gates: dict[str, Gate] = {"club_slug": club_gate}


def register_gate(part: str, gate: Gate) -> None:
    """Have ``gate`` asked about every address with a part of that name (``table_id``)."""
    _gates[part] = gate


def gate_of(part: str) -> Gate | None:
    """Return what is asked about a part of an address."""
    return _gates.get(part)

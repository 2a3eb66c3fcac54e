"""What a refusal of an event is: a code, and a sentence for the person who asked."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.errors import EventRefusal


def refused(act: Any, **arguments: Any) -> str:
    """Call a service that must refuse; returns the refusal's code, which must have a sentence."""
    with pytest.raises(EventRefusal) as refusal:
        act(**arguments)
    assert refusal.value.message and refusal.value.message != refusal.value.code
    return refusal.value.code

"""Lists that grow: a page of them, and the cursor with which the next page is asked for."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Annotated, Any, Generic, TypeVar

from ninja import Query, Schema
from pydantic import AfterValidator, ConfigDict, Field

from clubs.api.problems import Problem

T = TypeVar("T")

LONGEST_PAGE = 100
USUAL_PAGE = 30


class Page(Schema, Generic[T]):
    """Some of a list, in an order that stays; ``next`` is the cursor of what follows."""

    items: list[T]
    next: str | None = Field(
        None, description="Send it as `cursor` for the following page; null: this is the last."
    )


def _sound(text: str) -> str:
    """Refuse what PostgreSQL cannot keep: a NUL, and half of a surrogate pair."""
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("text has no NUL and no lone surrogates")
    return text


Text = Annotated[str, AfterValidator(_sound)]
"""Text that can be kept."""


class Asked(Schema):
    """A body that a program sends: numbers are numbers, and what is not described is refused, so that no misspelling goes unseen."""

    model_config = ConfigDict(extra="forbid", strict=True)


Limit = Annotated[int, Query(ge=1, le=LONGEST_PAGE, description="At most so many items.")]
Cursor = Annotated[
    Text | None, Query(max_length=300, description="Where the page begins: `next` of the page before.")
]


def write_cursor(*place: Any) -> str:
    """Return a place in a list (JSON-ready values) as a cursor, which programs need not understand."""
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def read_cursor(text: str | None, *kinds: Any) -> list[Any] | None:
    """Return the place that a cursor names, each value made by its kind (``int``, ``UUID``, …); ``None`` without a cursor.

    Raises ``Problem("bad_cursor")``.
    """
    if text is None:
        return None
    try:
        place = json.loads(base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
        return [kind(value) for kind, value in zip(kinds, place, strict=True)]
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, binascii.Error) as error:
        raise Problem("bad_cursor") from error


def whole(value: Any) -> int:
    """Return a number in a cursor that a database column can hold; raises ``ValueError`` for anything else."""
    if type(value) is not int or not 0 <= value < 2**63:
        raise ValueError(value)
    return value

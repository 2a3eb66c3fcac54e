"""Kinds of notices: what each is called and how it is put into words. The apps above register theirs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from clubs.selectors.clubs import Person
from clubs.selectors.rights import rights_anywhere


@dataclass(frozen=True)
class Kind:
    """``sentence`` tells in the active language what happened, given the notice's ``about``.

    Only who has ``right`` in some club (if one is named) chooses about it. A mail waits for ``patience``: who reads
    the notice on the site meanwhile gets none.
    """

    code: str
    title: str | Promise
    sentence: Callable[[Mapping[str, Any]], str]
    right: str = ""
    patience: dt.timedelta = dt.timedelta()


_kinds: dict[str, Kind] = {}


def register_kind(kind: Kind) -> None:
    """Let notices of a kind be told. Kinds are listed in the order in which they were registered."""
    _kinds[kind.code] = kind


def kind_of(code: str) -> Kind:
    """Return a kind by its code; raises ``KeyError`` for one that nobody registered."""
    return _kinds[code]


def is_kind(code: str) -> bool:
    """Whether a kind is known: notices of one that was given up stay until their time is over."""
    return code in _kinds


def kinds_for(person: Person) -> list[Kind]:
    """Return the kinds that a person may be told of."""
    own = rights_anywhere(person)
    return [kind for kind in _kinds.values() if not kind.right or kind.right in own or person.is_superuser]

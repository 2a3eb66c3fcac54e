"""Named places between two statements of a long service, where tests stop it.

Nothing is armed on a site that runs; a call then costs one look into an empty dict. Tests arm a
point with what shall happen there: an exception, or the end of the process.
"""

from __future__ import annotations

from collections.abc import Callable

armed: dict[str, Callable[[], None]] = {}


def fault_point(name: str) -> None:
    """Do what is armed at this point, if anything is."""
    if act := armed.get(name):
        act()

"""What the doctor says: one finding for each thing that is wrong, with what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

FAILURE, WARNING = "failure", "warning"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    `code` stays the same in every version, `says` is one sentence about this site, `do` one that puts it right. A
    `failure` loses or endangers something now; a `warning` will, or does no harm on a site that nobody else reaches.
    """

    code: str
    says: str
    do: str
    level: str = FAILURE

    def as_json(self) -> dict[str, str]:
        """For machines."""
        return asdict(self)


# Yields what is wrong with one part of the site, nothing when it is well.
Check = Callable[[], Iterable[Finding]]

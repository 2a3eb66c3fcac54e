"""How long a socket's line takes there and back, as the server measures it itself.

Each pong carries a word that nobody can guess; the page sends it back at once
(``echo``). An answer that was late on purpose looks like a slow line, so a
measurement alone gives nothing: it only limits how much of a *stated* lag is
believed (``games.rules.clock.compensate``), and the quota limits the rest.
"""

from __future__ import annotations

import secrets
import statistics
import time
from collections import deque

KEPT = 5
"""The median of so many round trips counts, so that one slow frame changes nothing."""

LONGEST_MS = 10_000
"""A line that needs longer is dead by the page's own measure."""


class RoundTrips:
    """The last round trips of one socket, in milliseconds."""

    def __init__(self) -> None:
        self._word: str | None = None
        self._asked_at = 0.0
        self._trips: deque[int] = deque(maxlen=KEPT)

    def ask(self) -> str:
        """Return a new word to send with a pong; the time until it comes back is the next round trip."""
        self._word = secrets.token_hex(4)
        self._asked_at = time.monotonic()
        return self._word

    def answered(self, word: str, arrived: float) -> None:
        """Note that ``word`` came back at ``arrived`` (``time.monotonic``); any other word is ignored."""
        if self._word is None or word != self._word:
            return
        self._word = None
        self._trips.append(min(LONGEST_MS, max(0, round((arrived - self._asked_at) * 1000))))

    def spoil(self) -> None:
        """Forget the open question: the server itself was busy for this socket, so its answer would tell nothing."""
        self._word = None

    @property
    def usual(self) -> int | None:
        """The median of the last round trips, ``None`` before the first."""
        return round(statistics.median_low(self._trips)) if self._trips else None

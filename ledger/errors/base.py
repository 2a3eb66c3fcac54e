"""What every refusal of the ledger has."""

from __future__ import annotations

from typing import ClassVar

from django.utils.translation import gettext as _

from ledger import metrics


class LedgerError(Exception):
    """What was asked of the ledger is refused; nothing was written.

    ``code`` is stable; ``params`` holds what the sentence names (account and
    transaction ids, amounts), always as text or int.
    """

    code: ClassVar[str]
    text: ClassVar[str]

    def __init__(self, **params: object) -> None:
        self.params = params
        metrics.REFUSALS.labels(self.code).inc()
        super().__init__(self.code, params)

    @property
    def message(self) -> str:
        """The sentence to show, in the active language."""
        return self.told()

    def told(self, **words: object) -> str:
        """The same sentence with other words for some of what it names."""
        return _(self.text) % {**self.params, **words}

    def __str__(self) -> str:
        return f"{self.code}: {self.text % self.params}"

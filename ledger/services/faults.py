"""What a check of the book can say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Fault(Exception):
    """The book is not what it says it is.

    ``code`` is stable, ``detail`` an English sentence. ``seal``, ``transaction``
    and ``account`` are the numbers of the rows it is about, as far as there are any;
    a row that is named may be the one that is missing.
    """

    code: str
    detail: str
    seal: int | None = None
    transaction: int | None = None
    account: int | None = None

    def __str__(self) -> str:
        places = [f"{name} {value}" for name, value in self.places().items() if value is not None]
        return f"{self.code}: {self.detail}" + (f" ({', '.join(places)})" if places else "")

    def places(self) -> dict[str, int | None]:
        """Seal, transaction and account by name."""
        return {"seal": self.seal, "transaction": self.transaction, "account": self.account}

    def as_json(self) -> dict[str, Any]:
        """For machines: code, detail and places."""
        return {"code": self.code, "detail": self.detail, **self.places()}

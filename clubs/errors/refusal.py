"""What all refusals about people and clubs have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.translation import gettext as _


class Refusal(Exception):
    """What a person asked for is refused; nothing was written.

    ``code`` is one of ``messages``, ``detail`` is what its sentence names (as ``%(detail)s``).
    """

    messages: ClassVar[Mapping[str, str]]

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = code
        self.detail = detail
        super().__init__(code)

    @property
    def message(self) -> str:
        """The sentence to show, in the active language."""
        text = _(self.messages[self.code])
        return text % {"detail": self.detail} if "%(detail)s" in text else text

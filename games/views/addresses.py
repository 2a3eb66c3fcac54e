"""What addresses and forms may say, read with care."""

from __future__ import annotations


def whole(text: str) -> int:
    """Return the number that a text is in plain digits, -1 for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 15 else -1

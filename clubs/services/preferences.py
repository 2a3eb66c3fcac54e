"""What a person chose for all their devices."""

from __future__ import annotations

from clubs.models import User


def speak(*, user: User, language: str) -> None:
    """Keep the language that a person wants on every device and in mails: one of settings.LANGUAGES."""
    user.language = language
    user.save(update_fields=["language"])

"""What every template knows about people."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def mail_by_hand(_request: HttpRequest) -> dict[str, bool]:
    """Give templates ``mail_by_hand``: the site has no mail server, so that a keeper must hand mails on."""
    return {"mail_by_hand": settings.MAIL_BY_HAND}

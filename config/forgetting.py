"""Forgetting who was signed in: sessions that are over, and the list of devices that goes with them."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

BATCH = 1000


def forget_sessions() -> int:
    """Delete sessions that have expired, and the addresses and browsers of sessions that are gone; returns how many rows."""
    gone = 0
    while keys := list(
        Session.objects.filter(expire_date__lt=timezone.now()).values_list("pk", flat=True)[:BATCH]
    ):
        gone += int(Session.objects.filter(pk__in=keys).delete()[0])
    over = UserSession.objects.exclude(session_key__in=Session.objects.values("session_key"))
    return gone + int(over.delete()[0])

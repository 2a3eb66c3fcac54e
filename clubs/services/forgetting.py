"""Guests who never came back: nothing of them is kept that others do not need."""

from __future__ import annotations

import datetime as dt

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.errors import PersonRefusal
from clubs.models import User
from clubs.services.closing import erase

GUESTS_KEPT = dt.timedelta(days=60)
"""Longer than any session lasts: a guest signs in by nothing else, so that nobody can come back to such a row."""

GUESTS_AT_ONCE = 500


def forget_guests() -> int:
    """Forget guests who have not come for ``GUESTS_KEPT`` and have no session left; returns how many.

    Their rows are deleted, unless a match, the book or an event refers to them: these stay without a name, as after an
    erasure. Who is still expected somewhere is left alone. Each guest is a transaction of its own.
    """
    gone = 0
    for pk in list(_guests_of_old().order_by("pk").values_list("pk", flat=True)):
        if gone >= GUESTS_AT_ONCE:
            break
        try:
            gone += _forget(pk)
        except PersonRefusal:
            continue  # a seat, an entry or chips wait for the guest: another night
    return gone


def _guests_of_old() -> QuerySet[User]:
    before = timezone.now() - GUESTS_KEPT
    late = Q(last_login__lt=before) | Q(last_login=None, date_joined__lt=before)
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    signed_in = UserSession.objects.filter(session_key__in=alive).values("user")
    return User.objects.filter(late, is_guest=True, erased_at=None).exclude(pk__in=signed_in)


@transaction.atomic
def _forget(pk: int) -> bool:
    row = _guests_of_old().select_for_update(skip_locked=True).filter(pk=pk).first()
    if row is None:
        return False
    erase(user=row)
    row.refresh_from_db()
    if not _is_referred_to(row):
        row.delete()
    return True


def _is_referred_to(row: User) -> bool:
    """Whether any row of any app names the person."""
    return any(
        relation.related_model._base_manager.filter(**{relation.field.name: row}).exists()
        for relation in User._meta.related_objects
    )

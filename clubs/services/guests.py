"""People who play without an account, and how they get one."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.services.closing import end_sessions
from clubs.services.naming import check_name, free_username, save_named
from clubs.signals import guest_joined


def create_guest(*, language: str) -> User:
    """Create a person who plays without an account; the name can be changed and the progress claimed later."""
    token = secrets.token_hex(6)
    user = User(
        username=f"guest-{token}",
        display_name=_("Guest %(number)s") % {"number": int(token[:4], 16) % 9000 + 1000},
        is_guest=True,
        language=language,
    )
    user.set_unusable_password()
    user.save()
    return user


@transaction.atomic
def sign_up(*, guest: User | None, name: str, email: str, password: str, language: str) -> User:
    """Make a member: of the guest, whose row and everything that hangs on it stay, or of a newcomer.

    Raises ``PersonRefusal`` for the name, as ``check_name`` does. Locks the guest's row.
    """
    user = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first() if guest else None
    user = user or User()
    user.display_name = check_name(name=name, of=user)
    user.username = free_username(name=user.display_name)
    user.email, user.language, user.is_guest = email, language, False
    user.set_password(password)
    save_named(user, "username", "email", "language", "is_guest", "password")
    return user


@transaction.atomic
def join_guest(*, guest: User, member: User) -> None:
    """Let a member who played as a guest have what the guest played; the guest is nobody from now on.

    Seats at running tables and everything that is over become the member's,
    unless the member sits at the same table: there the guest's seat is left.
    """
    row = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True, is_active=True).first()
    if row is None or member.is_guest:
        return
    guest_joined.send(sender=User, guest=row, member=member)
    row.is_active = False
    row.save(update_fields=["is_active"])
    end_sessions(user=row)

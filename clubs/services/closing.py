"""Closing accounts: ending sessions, switching off, erasing."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from clubs.errors import PersonRefusal
from clubs.models import ApiToken, JoinRequest, Membership, Notice, NoticeSettings, Role, User
from clubs.services.members import end_requests
from clubs.signals import erased, may_erase


def end_session(*, user: User, session_id: int) -> None:
    """End one of the person's sessions by the id in their list; its sockets close at the commit. Unknown ids do nothing."""
    found = UserSession.objects.filter(pk=session_id, user=user)
    _end(list(found.values_list("session_key", flat=True)))


@transaction.atomic
def end_sessions(*, user: User, but: str | None = None) -> int:
    """End every session of a person, except the one with the key ``but``; returns how many there were."""
    found = UserSession.objects.filter(user=user).exclude(session_key=but)
    return _end(list(found.values_list("session_key", flat=True)))


def _end(keys: list[str]) -> int:
    """Delete sessions one by one: each tells the tables that its sockets must close."""
    for session in Session.objects.filter(session_key__in=keys):
        session.delete()
    UserSession.objects.filter(session_key__in=keys).delete()
    return len(keys)


@transaction.atomic
def deactivate(*, user: User) -> None:
    """Switch an account off: no session signs in, and every open socket closes at the commit."""
    user.is_active = False
    user.save(update_fields=["is_active"])
    end_sessions(user=user)


def activate(*, user: User) -> None:
    """Switch an account on again. Raises ``PersonRefusal("already_erased")``: an erased person does not come back."""
    if user.erased_at is not None:
        raise PersonRefusal("already_erased")
    user.is_active = True
    user.save(update_fields=["is_active"])


@transaction.atomic
def reset_second_factor(*, user: User) -> None:
    """Take a person's app, passkeys and spare codes away: for somebody who has lost them all. Sessions end."""
    Authenticator.objects.filter(user=user).delete()
    end_sessions(user=user)


@transaction.atomic
def erase(*, user: User, gives_chips: bool = False) -> None:
    """Forget a person for ever. A row without a name stays, so that tables, results and the book still fit together.

    Chips that the person has left must be redeemed first, unless ``gives_chips`` says that the club gets them.
    Raises ``PersonRefusal`` (``already_erased``, ``last_keeper``, ``last_owner``, and what the apps that keep
    something of the person want settled first: ``has_chips``, ``has_holds``, ``at_a_table``, ``in_an_event``).
    Locks the user's row.
    """
    row = User.objects.select_for_update().get(pk=user.pk)
    if row.erased_at is not None:
        raise PersonRefusal("already_erased")
    _check_offices(row)
    may_erase.send(sender=User, user=row, gives_chips=gives_chips)
    erased.send(sender=User, user=row)
    end_sessions(user=row)
    _forget(row)


def _check_offices(row: User) -> None:
    """Refuse to leave a site without its keeper, or a club that has members without an owner."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=row.pk)
    if row.is_superuser and not others.exists():
        raise PersonRefusal("last_keeper")
    owned = Membership.objects.filter(user=row, roles__contains=[Role.OWNER]).values_list("club", flat=True)
    for club in owned:
        rest = Membership.objects.filter(club=club, state=Membership.State.ACTIVE).exclude(user=row)
        if rest.exists() and not rest.filter(roles__contains=[Role.OWNER]).exists():
            raise PersonRefusal("last_owner")


def _forget(row: User) -> None:
    """Drop what names the person in the tables of people."""
    EmailAddress.objects.filter(user=row).delete()
    Authenticator.objects.filter(user=row).delete()
    Membership.objects.filter(user=row).delete()
    asked = JoinRequest.objects.filter(user=row)
    end_requests(asked, JoinRequest.State.WITHDRAWN)
    asked.delete()
    Notice.objects.filter(user=row).delete()
    NoticeSettings.objects.filter(user=row).delete()
    ApiToken.objects.filter(user=row).delete()
    # The admin's own log repeats names in its texts.
    LogEntry.objects.filter(
        content_type__app_label="clubs", content_type__model="user", object_id=str(row.pk)
    ).delete()
    row.groups.clear()
    row.user_permissions.clear()
    row.username, row.display_name, row.email = f"erased-{row.pk}", "", ""
    row.first_name, row.last_name, row.language, row.time_zone = "", "", "", ""
    row.is_active = row.is_staff = row.is_superuser = False
    row.is_guest = row.is_bot = False
    row.seen_by, row.on_leaderboards = User.SeenBy.NOBODY, False
    row.last_login, row.erased_at = None, timezone.now()
    row.set_unusable_password()
    row.save()

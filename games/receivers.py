"""What the tables do when something happens elsewhere: the ledger asks them about stakes, and closed sessions
and accounts close their sockets."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from clubs.models import ApiToken, Club, User
from clubs.selectors.gates import register_gate
from clubs.selectors.kinds import Kind, register_kind
from clubs.signals import club_acts, club_shown, erased, guest_joined, may_erase, sent_away, told_about
from games import stakes
from games.broadcast import close_sockets_after_commit
from games.selectors import causes_of, staked_pots, table_gate
from games.selectors.clubs import acts_of_organisers, tables_section
from games.selectors.people import everything_about
from games.services import people
from games.services.auditing import check_table, staked_groups
from games.services.clubs import ask_again_at_the_doors, leave_tables_of
from games.services.reminding import TURN
from games.wording import turn_in_words

register_gate("table_id", table_gate)
register_kind(Kind(TURN, _("My turn at a table with a day a move"), turn_in_words))
stakes.answer_for_tables(check_table, expected=staked_groups, links=causes_of, pots=staked_pots)


@receiver(post_delete, sender=Session)
def close_sockets_of_session(*, instance: Session, **_more: Any) -> None:
    """Close the sockets that were opened with a session when it ends: by logging out, by hand, by expiry."""
    user_id = instance.get_decoded().get(SESSION_KEY)
    if user_id is not None:
        close_sockets_after_commit(user_id=int(user_id), code="signed_out", session_key=instance.session_key)


@receiver(post_save, sender=User)
def close_sockets_of_closed_account(*, instance: User, **_more: Any) -> None:
    """Close every socket of a member whose account is no longer active."""
    if not instance.is_active:
        close_sockets_after_commit(user_id=instance.pk, code="deactivated")


@receiver(guest_joined, dispatch_uid="games: a guest's seats")
def take_over_seats(*, guest: User, member: User, **_more: Any) -> None:
    """Give the seats that a guest held to the member who the guest turns out to be."""
    people.take_over_seats(guest=guest, member=member)


@receiver(may_erase, dispatch_uid="games: may a person go")
def check_leaves(*, user: User, **_more: Any) -> None:
    """Keep a person who still sits at a table."""
    people.check_leaves(user=user)


@receiver(erased, dispatch_uid="games: forget a person")
def forget_person(*, user: User, **_more: Any) -> None:
    """Take a person's name off what the tables keep."""
    people.forget_person(user=user)


@receiver(told_about, dispatch_uid="games: all about a person")
def tell_all(*, user: User, **_more: Any) -> dict[str, Any]:
    """Add matches, deals and chat to a person's own data."""
    return everything_about(user)


@receiver(sent_away, dispatch_uid="games: leave a club's tables")
def leave_tables(*, club: Club, user: User, **_more: Any) -> None:
    """Give up the seats of somebody who left a club or was banned from it."""
    leave_tables_of(club=club, user=user)


@receiver(post_save, sender=Club)
def close_a_clubs_doors(*, instance: Club, **_more: Any) -> None:
    """Send strangers away from the tables of a club that does not welcome them."""
    if not instance.welcomes_guests:
        ask_again_at_the_doors(club=instance)


@receiver(club_shown, dispatch_uid="games: tables of a club")
def show_tables(*, club: Club, viewer: Any, **_more: Any) -> dict[str, Any] | None:
    """Add the open tables to a club's page."""
    return tables_section(club, viewer)


@receiver(club_acts, dispatch_uid="games: acts of organisers")
def tell_acts(*, club: Club, before: dt.datetime, most: int, **_more: Any) -> list[dict[str, Any]]:
    """Add what organisers did about people and lines to the log of a club."""
    return acts_of_organisers(club, before=before, most=most)


@receiver(post_save, sender=ApiToken)
def close_streams_of_revoked_token(*, instance: ApiToken, **_more: Any) -> None:
    """Close the streams that were opened with a token when it is revoked."""
    if instance.revoked_at is not None:
        close_sockets_after_commit(user_id=instance.user_id, code="token_over", session_key=instance.session)

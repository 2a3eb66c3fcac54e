"""What the ledger does when something happens elsewhere."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, User
from clubs.selectors.kinds import Kind, register_kind
from clubs.signals import club_acts, erased, may_erase, told_about
from ledger.selectors.desk import acts_at_desk
from ledger.selectors.own import book_of
from ledger.services import forget_owner
from ledger.services.leaving import check_leaves, leave_book
from ledger.services.telling import APPROVAL, APPROVE
from ledger.wording import approval_in_words

register_kind(Kind(APPROVAL, _("Corrections that I may approve"), approval_in_words, right=APPROVE))


@receiver(pre_delete, sender=User, dispatch_uid="ledger forgets a deleted user")
def forget_deleted_user(sender: type[User], instance: User, **_: Any) -> None:
    """Make a deleted person's accounts anonymous. Raises ``NotEmpty`` while they have chips: redeem them first."""
    forget_owner(user=instance)


@receiver(may_erase, dispatch_uid="ledger: may a person go")
def check_even(*, user: User, gives_chips: bool, **_: Any) -> None:
    """Keep a person with whom the club is not even."""
    check_leaves(user=user, gives_chips=gives_chips)


@receiver(erased, dispatch_uid="ledger: forget a person")
def forget_erased_user(*, user: User, **_: Any) -> None:
    """Make an erased person's accounts anonymous; chips that are left were given to the club."""
    leave_book(user=user)


@receiver(told_about, dispatch_uid="ledger: all about a person")
def tell_book(*, user: User, **_: Any) -> dict[str, Any]:
    """Add the statements to a person's own data."""
    return book_of(user)


@receiver(club_acts, dispatch_uid="ledger: acts at the desk")
def tell_acts(*, club: Club, before: dt.datetime, most: int, **_: Any) -> list[dict[str, Any]]:
    """Add what was done at the treasurer's desk to the log of a club."""
    return acts_at_desk(club, before=before, most=most)

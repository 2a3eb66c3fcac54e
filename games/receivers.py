"""What the tables do when something happens elsewhere: the ledger asks them about stakes, and closed sessions
and accounts close their sockets."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from clubs.models import User
from games import stakes
from games.broadcast import close_sockets_after_commit
from games.selectors import causes_of, staked_pots
from games.services.auditing import check_table, staked_groups

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

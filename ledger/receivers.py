"""What the ledger does when something happens elsewhere."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from clubs.models import User
from ledger.services import forget_owner


@receiver(pre_delete, sender=User, dispatch_uid="ledger forgets a deleted user")
def forget_deleted_user(sender: type[User], instance: User, **_: Any) -> None:
    """Make a deleted person's accounts anonymous. Raises ``NotEmpty`` while they have chips: redeem them first."""
    forget_owner(user=instance)

"""What people's accounts do when something happens at the doors."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from clubs.selectors.kinds import Kind, register_kind
from clubs.services import end_sessions
from clubs.services.members import ASKED
from clubs.services.requests import ANSWERED
from clubs.wording import join_answer_in_words, join_request_in_words

register_kind(Kind(ASKED, _("Requests to join"), join_request_in_words, right="clubs.admit"))
register_kind(Kind(ANSWERED, _("Answers to my requests to join"), join_answer_in_words))


@receiver([password_changed, password_set, password_reset], dispatch_uid="a new password ends other sessions")
def end_other_sessions(*, request: HttpRequest, user: User, **_more: Any) -> None:
    """End every session but the one that chose the new password; open tables of the others close at once."""
    end_sessions(user=user, but=request.session.session_key)

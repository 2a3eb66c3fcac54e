"""People and lines for tests of the chat, made by the product's own services."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Group
from django.utils import timezone

from clubs.models import User
from clubs.services import create_guest
from games import services
from games.models import ChatLine, Table
from tests.games.tables import member

FAR = dt.timedelta(minutes=5)


def say(table: Table, user: User, text: str = "", **changes: Any) -> ChatLine:
    """Say a text (or a phrase) as a fresh client would."""
    wanted = {"text": text, "command_id": uuid4(), **changes}
    return services.say(table_id=table.id, user_id=user.pk, **wanted)


def say_long_ago(table: Table, user: User, text: str, ago: dt.timedelta = FAR, **changes: Any) -> ChatLine:
    """Say something and make it older."""
    line = say(table, user, text, **changes)
    line.at = timezone.now() - ago
    line.save(update_fields=["at"])
    return line


def said_just_now() -> None:
    """Let all lines count as said in this moment for a minute more, however long the machine took for them."""
    ChatLine.objects.update(at=timezone.now() + dt.timedelta(minutes=1))


def guest() -> User:
    """Create a guest."""
    return create_guest(language="en")


def organiser(name: str = "olev") -> User:
    """Create a member of the group that the migrations made."""
    user = member(name)
    user.groups.add(Group.objects.get(name="organiser"))
    return User.objects.get(pk=user.pk)


def finish(table: Table, ago: dt.timedelta = dt.timedelta()) -> None:
    """End the match, ``ago`` before now."""
    services.close_table(table_id=table.id)
    table.refresh_from_db()
    table.finished_at = timezone.now() - ago
    table.save(update_fields=["finished_at"])

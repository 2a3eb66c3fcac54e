"""Nobody's sign-ins are kept longer than they are good for."""

from __future__ import annotations

import datetime as dt

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from clubs.models import User
from config.celery import app

pytestmark = pytest.mark.django_db


def test_sessions_that_are_over_go_with_their_addresses_and_browsers(client):
    mari = User.objects.create_user("mari")
    client.force_login(mari)
    alive = client.session.session_key
    Session.objects.create(
        session_key="over", session_data="", expire_date=timezone.now() - dt.timedelta(hours=1)
    )
    for key in (alive, "over", "ended long ago"):
        UserSession.objects.get_or_create(
            session_key=key, defaults={"user": mari, "ip": "192.0.2.7", "user_agent": "a browser"}
        )
    app.tasks["config.forget_sessions"].run()
    assert [row.session_key for row in UserSession.objects.all()] == [alive]
    assert [row.pk for row in Session.objects.all()] == [alive]

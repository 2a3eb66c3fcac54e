"""The databases that tests get: isolated, quick, and with the site role's rights where asked."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth import get_user_model
from django.db import DatabaseError, connection, transaction

pytestmark = pytest.mark.committed


@pytest.mark.parametrize("turn", [1, 2])
def test_what_one_test_commits_is_gone_for_the_next(turn):
    users = get_user_model()
    assert not users.objects.filter(username="left-behind").exists()
    users.objects.create(username="left-behind")


def test_a_thread_sees_what_the_test_committed():
    users = get_user_model()
    users.objects.create(username="anna")
    seen = []

    def look():
        seen.append(users.objects.filter(username="anna").exists())

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [True]


@pytest.mark.committed(role="site")
def test_the_site_role_writes_rows_and_owns_nothing():
    get_user_model().objects.create(username="anna")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, session_user")
        assert cursor.fetchone() == ("cardclub_site", "cardclub_site")
    for forbidden in ("TRUNCATE clubs_user CASCADE", "ALTER TABLE clubs_user DISABLE TRIGGER ALL"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(forbidden)


def test_another_process_gets_the_address_of_the_copy(committed_database):
    assert committed_database.name in committed_database.environment["DATABASE_URL"]


def test_acting_as_the_site_role_ends_with_the_block(site_role):
    def who():
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            return cursor.fetchone()[0]

    before = who()
    with site_role():
        assert who() == "cardclub_site"
    assert who() == before != "cardclub_site"

"""What is said about servers that are given, but not there or too old."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import connection

from config import servers
from config.embedded import database_url
from config.trouble import Trouble

NOBODY = "postgres://site:secret@127.0.0.1:1/club"


@pytest.fixture
def address(db):
    """The address of the test database."""
    described = connection.settings_dict
    return database_url(
        user=described["USER"],
        password=described["PASSWORD"],
        host=described["HOST"],
        port=described["PORT"],
        name=described["NAME"],
    )


def test_servers_that_are_there_and_new_enough_are_fine(address):
    servers.check_database("DATABASE_URL", address)
    servers.check_redis(settings.REDIS_URL)


def test_postgresql_that_is_too_old(address, monkeypatch):
    monkeypatch.setattr(servers, "POSTGRESQL", 99)
    with pytest.raises(
        Trouble, match=r"^PostgreSQL \d+ at .* is too old, 99 or newer is needed: .*DATABASE_URL"
    ):
        servers.check_database("DATABASE_URL", address)


def test_redis_that_is_too_old(monkeypatch):
    monkeypatch.setattr(servers, "REDIS", 99)
    with pytest.raises(Trouble, match=r"^Redis [\d.]+ at .* is too old, 99 or newer is needed: .*REDIS_URL"):
        servers.check_redis(settings.REDIS_URL)


def test_postgresql_that_is_not_there_is_named_without_its_password():
    with pytest.raises(
        Trouble, match=r"does not answer at postgres://site:\*\*\*@127.0.0.1:1/club .*refused"
    ) as seen:
        servers.check_database("DATABASE_OWNER_URL", NOBODY)
    assert "DATABASE_OWNER_URL" in str(seen.value)
    assert "secret" not in str(seen.value)


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "unix:///nowhere/valkey.sock?db=0", "nonsense"])
def test_redis_that_is_not_there(url):
    with pytest.raises(Trouble, match=r"^Redis does not answer at .*mend REDIS_URL"):
        servers.check_redis(url)

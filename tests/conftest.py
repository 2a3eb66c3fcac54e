"""What all tests share: databases, roles and the test's own Redis numbers.

Three ways to use the database:

`@pytest.mark.django_db`
    As usual: one transaction per test, rolled back at its end. The default; use it whenever nothing must commit.

`@pytest.mark.committed`
    For threads, sockets, Celery tasks and other processes, which only see what is committed. The test works on a
    database of its own: a copy of the migrated template, made before and dropped after it. Nothing is flushed (the
    book refuses TRUNCATE, rightly), so `transaction=True` and TransactionTestCase are not to be used.
    `@pytest.mark.committed(role="site")` logs in as the site role, which owns nothing, as web and workers do.
    `@pytest.mark.committed(filled=FUNCTION)` copies a database that FUNCTION filled once for all its tests; it is given
    a folder for what it leaves outside the database. The fixture `filled` gives that folder and what it returned.
    The fixture `committed_database` gives the copy's name and, for other processes, its environment.

`site_role` (fixture, with either of the above)
    A context manager: statements inside the block run with the rights of the site role, on Django's connection.

DATABASE_URL names a server on which the test role may create databases and roles; `script/test` starts one.
Each xdist worker has its databases and its Redis number (the one of REDIS_URL plus the worker's number).
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.core.cache import caches as caches_in_use
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.http import HttpResponse
from django.test.utils import setup_databases, teardown_databases
from django.utils import translation
from hypothesis import HealthCheck, settings
from psycopg import sql
from pytest_django import DjangoDbBlocker

from config.addresses import caches, celery_broker, channel_layers
from config.embedded import database_url
from config.engines.postgres import DATABASE
from script.prepared import PREPARED
from tests.redis_numbers import redis_number

CHANCE = os.environ.get("TEST_CHANCE", "1")
"""Decides what chance deals to the tests; `any` is something new for each."""

# A busy machine is no fault: speed is measured in benchmarks/ and never asserted in a test. What is tried follows from
# the test alone, as the cards do: an example that nobody ever met is looked for with TEST_CHANCE=any.
settings.register_profile(
    "club", deadline=None, derandomize=CHANCE != "any", suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("club")

SITE_PASSWORD = "site role of the test server"

Fill = Callable[[Path], Any]
"""What fills a database once for many tests; it gets a folder for files."""


def pytest_configure(config: pytest.Config) -> None:
    """Give this process its own Redis number and the cheap variants of what need not be strong here."""
    worker = getattr(config, "workerinput", {}).get("workerid", "gw0")
    url = redis_number(django_settings.REDIS_URL, int(worker.removeprefix("gw")))
    django_settings.REDIS_URL = url
    django_settings.BROKER_URL = django_settings.LAYER_URL = django_settings.CACHE_URL = url
    django_settings.CHANNEL_LAYERS = channel_layers(url)
    django_settings.CACHES = caches(url)
    django_settings.CELERY_BROKER_URL = celery_broker(url)
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    Path(django_settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    # Pages under test name their files without hashes: no collectstatic before every run.
    django_settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Connect without a pool: a test database must have no connection left when it is copied or dropped."""
    django_settings.DATABASES["default"]["OPTIONS"].pop("pool", None)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    django_db_keepdb: bool,
    django_db_createdb: bool,
    django_db_modify_db_settings: None,
) -> Iterator[None]:
    """Create and migrate this worker's database, with the site role in place as on a real server."""
    verbosity = request.config.option.verbose
    keep = django_db_keepdb and not django_db_createdb
    with django_db_blocker.unblock(), _migrated_once() as copied:
        _ensure_site_role()
        configured = setup_databases(
            verbosity=verbosity,
            interactive=False,
            aliases={"default"},
            serialized_aliases=set(),
            keepdb=keep or copied,
        )
    yield
    if not django_db_keepdb:
        with django_db_blocker.unblock(), _maintenance() as server:
            teardown_databases(configured, verbosity=verbosity)
            if run := os.environ.get("PYTEST_XDIST_TESTRUNUID"):
                _drop(server, f"test_migrated_{run}")


@contextmanager
def _migrated_once() -> Iterator[bool]:
    """Let the first pytest worker of a run migrate, and give each other a copy of its database; yields whether so.

    The first keeps the others waiting until its database is migrated and lies there once more under the run's name.
    Where a site is prepared, its database is what every worker gets a copy of.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if os.environ.get(PREPARED):
        with _maintenance() as server:
            own = connection.creation._get_test_db_name()
            _drop(server, own)
            _copy(server, DATABASE, own)
        yield True
        return
    if run is None:
        yield False
        return
    migrated = f"test_migrated_{run}"
    own = connection.creation._get_test_db_name()
    with _maintenance() as server:
        server.execute("SELECT pg_advisory_lock(7302)")
        there = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [migrated]).fetchone()
        if there:
            _drop(server, own)
            _copy(server, migrated, own)
        yield bool(there)
        if not there:
            connections["default"].close()
            _copy(server, own, migrated)


def _ensure_site_role() -> None:
    """Create the site role, which may log in and owns nothing; workers may try at the same time."""
    role = sql.Identifier(django_settings.SITE_DB_ROLE)
    with _maintenance() as server:
        with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
            server.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
        with server.transaction():
            server.execute("SELECT pg_advisory_xact_lock(7301)")
            server.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(role, sql.Literal(SITE_PASSWORD)))


@contextmanager
def _maintenance() -> Iterator[psycopg.Connection]:
    """A plain connection to the server itself, where databases are copied and dropped."""
    described = connections.databases["default"]
    with psycopg.connect(
        host=described["HOST"] or None,
        port=described["PORT"] or None,
        user=described["USER"],
        password=described["PASSWORD"] or None,
        dbname="postgres",
        autocommit=True,
    ) as server:
        yield server


# --- Tests that commit --------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class CommittedDatabase:
    """The database of one committed test: its name, and what another process needs to use it."""

    name: str
    environment: dict[str, str]


@pytest.fixture(scope="session")
def _template(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The migrated database once more, with nobody ever connected to it: what committed tests are copied from."""
    source = django_settings.DATABASES["default"]["NAME"]
    template = f"{source}_template"
    with django_db_blocker.unblock():
        connections["default"].close()
        with _maintenance() as server:
            _drop(server, template)
            _copy(server, source, template)
    yield template
    with django_db_blocker.unblock(), _maintenance() as server:
        _drop(server, template)


@dataclass(frozen=True)
class Filled:
    """A database that a function filled for the tests that are marked so: its name, what was returned, and its folder."""

    name: str
    value: Any
    folder: Path


@pytest.fixture(scope="session")
def _filled_databases(
    _template: str, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Fill], Filled]]:
    """Return the database that a function filled, filling it at the first call."""
    made: dict[Fill, Filled] = {}

    def filled(fill: Fill) -> Filled:
        if fill not in made:
            name = f"{_template}_{len(made)}"
            with _maintenance() as server:
                _drop(server, name)
                _copy(server, _template, name)
            described = connections.databases["default"]
            before, described["NAME"] = described["NAME"], name
            folder = tmp_path_factory.mktemp("filled")
            try:
                made[fill] = Filled(name, fill(folder), folder)
            finally:
                connections["default"].close()
                described["NAME"] = before
        return made[fill]

    yield filled
    with django_db_blocker.unblock(), _maintenance() as server:
        for each in made.values():
            _drop(server, each.name)


@pytest.fixture
def filled(
    request: pytest.FixtureRequest,
    committed_database: CommittedDatabase,
    _filled_databases: Callable[[Fill], Filled],
) -> Filled:
    """What the function of the mark `committed(filled=...)` left."""
    marker = request.node.get_closest_marker("committed")
    assert marker is not None
    return _filled_databases(marker.kwargs["filled"])


def _copy(server: psycopg.Connection, source: str, name: str) -> None:
    # Files are copied with half the work of pages, but on a server that waits for its disk only after that was written.
    strategy = "FILE_COPY" if server.execute("SHOW fsync").fetchone() == ("off",) else "WAL_LOG"
    command = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY {}")
    server.execute(command.format(sql.Identifier(name), sql.Identifier(source), sql.SQL(strategy)))


def _drop(server: psycopg.Connection, name: str) -> None:
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def committed_database(
    request: pytest.FixtureRequest,
    _template: str,
    _filled_databases: Callable[[Fill], Filled],
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[CommittedDatabase]:
    """The database of a test marked `committed`; see the top of this file."""
    marker = request.node.get_closest_marker("committed")
    if marker is None or request.node.get_closest_marker("django_db") is not None:
        pytest.fail("mark the test `committed`, and not `django_db`: it has a database of its own")
    role = marker.kwargs.get("role", "owner")
    name = f"{_template.removesuffix('_template')}_copy"
    described = connections.databases["default"]
    before = dict(described)
    opened: list[BaseDatabaseWrapper] = []

    def remember(sender: object, connection: BaseDatabaseWrapper, **_: object) -> None:
        opened.append(connection)

    with django_db_blocker.unblock():
        connections["default"].close()
        fill = marker.kwargs.get("filled")
        source = _filled_databases(fill).name if fill else _template
        with _maintenance() as server:
            _drop(server, name)
            _copy(server, source, name)
        described["NAME"] = name
        if role == "site":
            described.update(USER=django_settings.SITE_DB_ROLE, PASSWORD=SITE_PASSWORD)
        connection_created.connect(remember)
        try:
            yield CommittedDatabase(name, _environment())
        finally:
            connection_created.disconnect(remember)
            for wrapper in opened:
                _close_from_here(wrapper)
            described.update(before)
            with _maintenance() as server:
                _drop(server, name)


def _close_from_here(wrapper: BaseDatabaseWrapper) -> None:
    """Close a connection that a thread of the test may have left open."""
    wrapper.inc_thread_sharing()
    try:
        wrapper.close()
    finally:
        wrapper.dec_thread_sharing()


def _environment() -> dict[str, str]:
    """Return what makes another process of the site use this test's database and Redis."""
    described = connections.databases["default"]
    url = database_url(
        user=described["USER"],
        password=described["PASSWORD"],
        host=described["HOST"],
        port=described["PORT"],
        name=described["NAME"],
    )
    return {
        "DATABASE_URL": url,
        "REDIS_URL": django_settings.REDIS_URL,
        "SECRET_KEY": django_settings.SECRET_KEY,
    }


@pytest.fixture(autouse=True)
def _own_database_when_marked(request: pytest.FixtureRequest) -> None:
    """Give a test marked `committed` its database before any other fixture writes to it."""
    if request.node.get_closest_marker("committed") is not None:
        request.getfixturevalue("committed_database")


@pytest.fixture
def site_role() -> Callable[[], AbstractContextManager[None]]:
    """A context manager: inside it, Django's connection has the rights of the site role and no others."""

    @contextmanager
    def acting() -> Iterator[None]:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(django_settings.SITE_DB_ROLE)))
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET ROLE")

    return acting


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """Start every test in the site's source language: a request in another one leaves its thread in that language."""
    with translation.override("en"):
        yield


CHANCE_USED_IN = (
    "games.services.opening",
    "games.services.clockwork",
    "games.services.locked",
    "games.services.gathering",
    "tournaments.services.locked",
)
"""Modules whose chance decides how a match or an event goes: the chain of seeds, the seat drawn, the bots' dice and
names, what an event is drawn by."""


class Chance:
    """What the module ``secrets`` gives, always the same for one test: a failure can be had again."""

    def __init__(self, name: str) -> None:
        self._dice = random.Random(name)

    def token_bytes(self, number: int) -> bytes:
        return self._dice.randbytes(number)

    def randbits(self, number: int) -> int:
        return self._dice.getrandbits(number)

    def randbelow(self, limit: int) -> int:
        return self._dice.randrange(limit)

    def SystemRandom(self) -> random.Random:
        return self._dice


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal each test the cards that follow from its name and from TEST_CHANCE (a number, or `any` for new cards).

    A test that fails with some cards then fails every time, and not once in a hundred runs in front of somebody who
    changed something else. The long runs in benchmarks/ take new cards each time, as the site does.
    """
    chosen = CHANCE
    if chosen == "any":
        chosen = secrets.token_hex(8)
        request.node.add_report_section("setup", "chance", f"TEST_CHANCE={chosen}")
    chance = Chance(f"{chosen} {request.node.nodeid}")
    for module in CHANCE_USED_IN:
        monkeypatch.setattr(f"{module}.secrets", chance)


@pytest.fixture(autouse=True)
def own_cache(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test names of its own in the cache: what one tried too often must not slow the next one down."""
    prefix = f"cache-{secrets.token_hex(8)}"
    monkeypatch.setattr(caches_in_use["default"], "key_prefix", prefix)
    monkeypatch.setitem(django_settings.CACHES["default"], "KEY_PREFIX", prefix)


@pytest.fixture
def plain_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer 403 and 404 with the number alone: for those who ask thousands of addresses for numbers.

    A whole page for each would be half of their time; how such a page looks is asked elsewhere.
    """
    for code in (403, 404):
        monkeypatch.setattr(f"config.urls.handler{code}", _answering(code), raising=False)


def _answering(code: int) -> Callable[..., HttpResponse]:
    return lambda request, exception=None: HttpResponse(status=code)

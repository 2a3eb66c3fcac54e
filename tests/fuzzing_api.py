"""Everything that the description of the API allows, and much that it does not, asked by schemathesis.

The site answers in this process. Numbers and ids in addresses are often those of things that are
there: with made-up ones alone nothing but 404 would be tested. Streams are left out, which end
with their match (``tests/games/test_streams.py``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import schemathesis
from django.core import signals
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import checks
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks as openapi

from clubs.models import FIRST_CLUB, Membership
from games import services
from ledger.models import Account
from ledger.services import owner_of
from tests.games.tables import member, on_turn, open_table, play_to_the_end
from tests.programs import Program
from tests.tournaments.events import event, give, released, treasurer, with_players

DESCRIPTION = "/api/v1/openapi.json"
STREAMS = r"stream"
CHECKS = (
    checks.not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_headers_conformance,
    openapi.response_schema_conformance,
    openapi.negative_data_rejection,
    openapi.unsupported_method,
    openapi.missing_required_header,
    openapi.ignored_auth,
)


class ClubOfPrograms(NamedTuple):
    """Tokens of the people who ask by turns, and the values that parts of addresses may have, by their names."""

    tokens: Mapping[str, str]
    known: Mapping[str, Sequence[Any]]


def club_of_programs() -> ClubOfPrograms:
    """Make a club with something of everything: tables in every state, events, chips, and people with and without rights."""
    mari, by = member("mari"), treasurer()
    for user in (mari, by):
        Membership.objects.create(user=user, club_id=FIRST_CLUB)
    give(mari, 500)
    gathering = services.open_table(
        game="least_score",
        options={},
        clock="club",
        members={1: mari},
        bots={},
        seats=3,
        opened_by=mari,
        listed=True,
    )
    playing, over = on_turn("least_score", mari), open_table("three_card_loo", mari)
    play_to_the_end(over)
    online = event(by, venue="online", bots_allowed=True)
    at_the_club = with_players(by, 8)
    released(by, at_the_club, 1)
    wallets = Account.objects.filter(owner=owner_of(user=mari)).values_list("pk", flat=True)
    return ClubOfPrograms(
        tokens={
            "member": Program(mari).text,
            "officer": Program(by).text,
            "reader": Program(mari, "read").text,
        },
        known={
            "table": [str(table.pk) for table in (gathering, playing, over)],
            "event": [str(online.pk), str(at_the_club.pk)],
            "number": [1, 2],
            "entry": [1, 2, 9],
            "place": [1, 2],
            "account": [*wallets, *Account.objects.values_list("pk", flat=True)[:3]],
        },
    )


def ask_everything(club: ClubOfPrograms, *, examples: int, chance: int) -> int:
    """Ask each operation ``examples`` times with valid and as often with wrong data; returns how many were asked.

    Raises what a check finds, with a request that shows it.
    """
    asked = 0
    with one_connection():
        site = schemathesis.openapi.from_wsgi(DESCRIPTION, get_wsgi_application())
        for found in site.exclude(path_regex=STREAMS).get_all_operations():
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                asked += _ask(found.ok(), mode, club, examples, chance)
    return asked


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep the connection of whoever asks open from one request to the next: its transaction is the test's."""
    for each in (signals.request_started, signals.request_finished):
        each.disconnect(close_old_connections)
    try:
        yield
    finally:
        for each in (signals.request_started, signals.request_finished):
            each.connect(close_old_connections)


def _ask(
    operation: Any,
    mode: GenerationMode,
    club: ClubOfPrograms,
    examples: int,
    chance: int,
) -> int:
    dice = random.Random(f"{chance} {operation.label} {mode.value}")
    count = 0

    @seed(dice.getrandbits(32))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        nonlocal count
        count += 1
        if mode == GenerationMode.POSITIVE and isinstance(case.path_parameters, dict):
            for name in case.path_parameters:
                if name in club.known and dice.random() < 0.7:
                    case.path_parameters[name] = dice.choice(club.known[name])
        headers = {"Authorization": f"Bearer {club.tokens[dice.choice(sorted(club.tokens))]}"}
        # Called without a network, schemathesis would take a packed answer for text.
        headers["Accept-Encoding"] = "identity"
        case.call_and_validate(headers=headers, checks=list(CHECKS))

    ask()
    return count

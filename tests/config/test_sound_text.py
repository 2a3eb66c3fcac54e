"""A NUL in what was sent is refused, whatever page it was sent to: it was answered with 500 on every page that stores text."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client

from tests.games.tables import member, on_turn
from tests.tournaments.events import event, organiser
from tournaments.models import Entry

pytestmark = pytest.mark.django_db
BAD = "a\x00b"


def test_a_nul_in_a_form_is_not_a_fault_of_the_site(client: Client) -> None:
    mari, olga = member("mari"), organiser("olga")
    table, tournament = on_turn("least_score", mari), event(olga)
    client.force_login(olga)
    events = f"/events/{tournament.pk}"
    for path, said in (
        (f"{events}/players/add/", {"username": BAD}),
        (f"{events}/players/import/", {"text": f"username\n{BAD}", "enter": "1"}),
        (f"{events}/do/cancel/", {"reason": BAD}),
        (f"/tables/{table.pk}/report/", {"reason": "cheating", "note": BAD, "deal": "1"}),
    ):
        # What the database refuses outside a transaction would spoil the test's own.
        with transaction.atomic():
            assert client.post(path, said).status_code in (400, 404, 422), path
            transaction.set_rollback(True)
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    "path", ["/lobby/?game=%00&clock=%00", "/events/?find=%00", "/?game=%00", "/calls/?besides=%00"]
)
def test_a_nul_in_an_address_is_not_a_fault_of_the_site(client: Client, path: str) -> None:
    assert client.get(path).status_code < 500

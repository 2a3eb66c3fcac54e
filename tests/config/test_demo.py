"""The demo club: made on an empty site, never among real members."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.test import Client

from clubs import services as clubs
from clubs.models import FIRST_CLUB, Club, Membership, User
from games.models import Deal, Table
from games.rules.proof import faults
from games.selectors import proof_of
from games.stakes import BOTS_OWNER
from ledger import services
from ledger.models import Account
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


def said(capsys) -> str:
    call_command("demo")
    return capsys.readouterr().out


def test_it_says_how_to_sign_in_and_those_words_are_true(client, capsys):
    line = said(capsys)
    password = re.search(r": (\S+)$", line.strip())[1]
    assert client.login(username="owner", password=password)
    assert client.get("/admin/").status_code == 200
    assert client.get("/clubs/demo/members/").status_code == 200
    assert client.login(username="anna", password=password)
    assert client.get("/admin/").status_code == 302
    assert not User.objects.get(username="anna").is_staff


def test_a_second_time_it_says_the_same_and_makes_nobody(capsys):
    first = said(capsys)
    people = User.objects.count()
    assert said(capsys) == first
    assert User.objects.count() == people > 3


def test_a_real_club_is_left_alone(capsys, tmp_path):
    User.objects.create_user("president", password="a long enough secret")
    assert "members of its own" in said(capsys)
    assert [user.username for user in User.objects.all()] == ["president"]
    assert list(tmp_path.iterdir()) == []


def test_guests_do_not_make_a_club_real(capsys):
    User.objects.create(username="guest-1", is_guest=True)
    assert "sign in as owner" in said(capsys)


def test_the_demo_club_has_chips_matches_that_were_really_played_and_something_to_join(capsys):
    said(capsys)
    for username in ("owner", "anna", "dora"):
        owner = services.owner_of(user=User.objects.get(username=username))
        wallet = services.open_wallet(owner=owner, asset="CHIPS")
        assert Account.objects.get(pk=wallet).balance == 2_000
    bots = services.open_wallet(owner=BOTS_OWNER, asset="CHIPS")
    assert Account.objects.get(pk=bots).balance == 100_000
    over = Table.objects.filter(status=Table.Status.FINISHED)
    assert {table.game for table in over} == {"least_score", "three_card_loo"}
    for deal in Deal.objects.filter(table__in=over):
        assert deal.ended_at is not None
        assert faults(proof_of(deal.table, deal)) == ()
    assert Table.objects.filter(listed=True, status=Table.Status.SEATING).count() == 1
    evening = Tournament.objects.get()
    assert evening.state == Tournament.State.REGISTRATION
    # What is kept in the database cannot follow the reader's language, so it is there in all of them.
    assert evening.name == "Klubiõhtu / Club evening"
    about = Club.objects.get(pk=FIRST_CLUB).description
    assert "Its people share one password" in about and "Kõigil siinsetel inimestel" in about


def test_founding_a_club_of_ones_own_puts_the_demo_club_away(client, capsys):
    """The demo's people share a printed password: on a real site they would be open doors, one of them a keeper's."""
    password = re.search(r": (\S+)$", said(capsys).strip())[1]
    key = clubs.founding_key()
    answer = client.post("/found/", founder(key))
    assert answer.status_code == 302 and answer["Location"] == "/clubs/vaike-klubi/"
    assert client.get("/clubs/vaike-klubi/members/").status_code == 200
    mine = User.objects.get(email="mari@example.org")
    assert mine.is_superuser and not User.objects.get(username="owner").is_superuser
    stranger = Client()
    assert not stranger.login(username="owner", password=password)
    assert stranger.get("/clubs/demo/").status_code == 404
    assert "Väike klubi" in stranger.get("/").content.decode()
    assert "put away" in said(capsys)


def founder(key: str, **changes: str) -> dict[str, str]:
    """What the founder types."""
    return {
        "key": key,
        "club": "Väike klubi",
        "language": "et",
        "name": "Mari Maasikas",
        "email": "mari@example.org",
        "password": "a good long password",
        **changes,
    }


def test_only_the_printed_key_founds_a_club_and_only_once(client, capsys, settings):
    assert client.get("/found/").status_code == 404, "nobody has asked for a key yet"
    assert client.get("/").status_code == 200
    call_command("found_club", "--site", "https://cards.example")
    address = re.search(r"https://cards.example(\S+)", capsys.readouterr().out)[1]
    key = address.partition("key=")[2]
    assert (settings.VAR_DIR / "founding_key").stat().st_mode & 0o077 == 0
    assert client.get("/")["Location"] == "/found/"
    assert client.get("/found/").status_code == 200
    for wrong in ("", "x", key + "x", key[:-1]):
        assert client.post("/found/", founder(wrong)).status_code == 422
    assert client.post("/found/", founder(key, password="12345678")).status_code == 422
    assert client.post("/found/", founder(key, club="--")).status_code == 422
    assert not User.objects.exists(), "what is refused leaves nobody behind"
    assert client.post("/found/", founder(key)).status_code == 302
    club = Club.objects.get()
    assert (club.pk, club.name, club.language) == (FIRST_CLUB, "Väike klubi", "et")
    assert Membership.objects.get(club=club).roles == ["owner", "organiser", "treasurer"]
    assert client.post("/found/", founder(key, email="b@example.org", name="Bert")).status_code == 404
    call_command("found_club")
    assert "has its club already" in capsys.readouterr().out

"""Erasing a member: everything forgets the person, and the books, the receipts and the replays still hold."""

from __future__ import annotations

import json
import zipfile
from datetime import timedelta
from io import BytesIO, StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.db import connection
from django.test import Client

from clubs.errors import PersonRefusal
from clubs.models import FIRST_CLUB, Membership, User
from clubs.services import all_about, erase
from games import services as tables
from games.models import ChatLine, Deal, Report, Table
from games.rules.record import replay
from games.selectors import record_of
from games.stakes import BOTS_OWNER
from ledger import services as ledger
from ledger.rules.receipt import check_receipt
from ledger.services.receipts import make_receipt
from ledger.services.signing import known_keys, verify_signature
from ledger.services.treasury import set_credit_line
from ledger.services.verifying import verify
from tests.games.tables import open_table, play_to_the_end
from tests.ledger.books import seal_everything
from tournaments.models import Action, Entry, Tournament

NAME = "Mari-Liis Tamm"
ADDRESS = "mari.liis@club.example"
TERMS = tables.StakeTerms(stake=1, asset="CHIPS", buy_in_min=200, buy_in_max=200)


def give_chips(owner, amount: int, reference: str = "opening") -> None:
    treasurer = ledger.owner_of(user=User.objects.get_or_create(username="treasurer")[0])
    wallet = ledger.open_wallet(owner=owner, asset="CHIPS")
    ledger.issue_chips(key=f"issue {owner}", wallet=wallet, amount=amount, by=treasurer, reference=reference)


@pytest.fixture(autouse=True)
def own_proofs(settings, tmp_path) -> None:
    """Keep the heads and keys of each test apart: every test has a book of its own."""
    settings.LEDGER_HEADS_FILE = tmp_path / "heads.jsonl"
    settings.LEDGER_KEY_DIR = tmp_path / "keys"


@pytest.fixture
def mari() -> User:
    """A member who has left traces everywhere: chips, a staked match, chat, a report, an event, a session."""
    ledger.create_asset(code="CHIPS")
    give_chips(BOTS_OWNER, 100_000)
    user = User.objects.create_user("mari", ADDRESS, "a good long password", display_name=NAME)
    EmailAddress.objects.create(user=user, email=ADDRESS, primary=True, verified=True)
    Membership.objects.get_or_create(club_id=FIRST_CLUB, user=user)
    give_chips(ledger.owner_of(user=user), 500, f"for {NAME}")
    table = open_table("least_score", user, terms=TERMS, entry=5, per_point=True, threshold=25)
    line = ChatLine.objects.create(
        table=table, room="table", seat=1, author=user, text="see you", at=table.opened_at
    )
    copied = {"id": line.pk, "room": "table", "seat": 1, "author": user.pk, "text": "see you", "phrase": ""}
    Report.objects.create(
        table=table, reported=user, reason="spam", evidence=[{**copied, "at": line.at.isoformat()}]
    )
    Report.objects.create(table=table, reporter=user, reason="spam", note=f"says {NAME}")
    return user


def made_event(state: str) -> Tournament:
    terms = {"size_min": 2, "size_ideal": 4, "size_max": 6, "clock": "club", "scoring": "low"}
    return Tournament.objects.create(name="Autumn", game="least_score", seed=1, state=state, **terms)


def event_of(user: User) -> Tournament:
    """A finished event with the member in it, written as the services write it."""
    event = made_event("finished")
    Entry.objects.create(tournament=event, number=7, user=user, place=1)
    after = {"entry": 7, "name": user.shown_name, "status": "entered"}
    Action.objects.create(
        tournament=event, number=1, kind="entered", by=user, at=event.created_at, after=after
    )
    return event


def traces(*words: str) -> list[str]:
    """The tables of the database in which any of the words stands."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        for (table,) in cursor.fetchall():
            for word in words:
                cursor.execute(f'SELECT count(*) FROM "{table}" t WHERE t::text ILIKE %s', [f"%{word}%"])
                if cursor.fetchone() != (0,):
                    found.append(f"{table}: {word}")
    return found


@pytest.mark.committed(role="site")
def test_an_erased_member_is_forgotten_everywhere_and_every_proof_still_holds(mari):
    table = Table.objects.get()
    with pytest.raises(PersonRefusal, match="at_a_table"):
        erase(user=mari, gives_chips=True)
    play_to_the_end(table)
    event = event_of(mari)
    browser = Client()
    browser.force_login(mari)
    with pytest.raises(PersonRefusal) as refusal:
        erase(user=mari)
    assert refusal.value.code == "has_chips" and "CHIPS" in refusal.value.message
    seal_everything()
    given_out = [make_receipt(transaction=id, with_note=True) for id in _transactions()]

    erase(user=mari, gives_chips=True)

    mari.refresh_from_db()
    assert not mari.is_active and mari.shown_name == "erased member" and not mari.has_usable_password()
    # What the member's own browser showed is no longer signed in.
    assert browser.get("/settings/")["Location"].startswith("/sign-in/")
    assert traces(NAME, "mari.liis", '"mari"', "says") == []
    assert ChatLine.objects.get().author is None and Report.objects.filter(reporter=mari).count() == 0
    assert [line["author"] for report in Report.objects.all() for line in report.evidence] == [None]
    assert Entry.objects.get(tournament=event).shown_name == "Player 7"
    pages = [
        "/lobby/",
        f"/tables/{table.pk}/history/",
        f"/events/{event.pk}/",
        "/people/mari/",
        f"/people/erased-{mari.pk}/",
    ]
    keeper = User.objects.create_superuser("keeper", password="a good long password")
    browser.force_login(keeper)
    assert [NAME in browser.get(page).content.decode() for page in pages] == [False] * len(pages)
    assert [browser.get(page).status_code for page in pages[-2:]] == [404, 404]

    # The books, what was given out of them, and the deals.
    seal_everything()
    assert verify(lag=timedelta(0)).fault is None
    output = StringIO()
    call_command("verify_ledger", "--lag", "0", "--no-record", stdout=output)
    assert "OK" in output.getvalue()
    keys = [key.public_key for key in known_keys().values()]
    for receipt in given_out:
        check_receipt(receipt, verify_signature, trusted_keys=keys)
    for deal in Deal.objects.filter(table=table):
        assert replay(record_of(table, deal)).refused is None
    with pytest.raises(PersonRefusal, match="already_erased"):
        erase(user=mari)


def _transactions() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM ledger_transaction ORDER BY id")
        return [row[0] for row in cursor.fetchall()]


@pytest.mark.django_db
@pytest.mark.parametrize("code", ["last_keeper", "last_owner", "in_an_event", "has_holds", "owes_chips"])
def test_whoever_is_still_needed_or_owes_something_is_not_erased(code):
    mari = User.objects.create_user("mari", display_name=NAME, is_superuser=code == "last_keeper")
    if code == "last_owner":
        Membership.objects.create(club_id=FIRST_CLUB, user=mari, roles=["owner"])
        other = User.objects.create_user("jaan")
        Membership.objects.create(club_id=FIRST_CLUB, user=other)
    if code == "in_an_event":
        event = made_event("running")
        Entry.objects.create(tournament=event, number=1, user=mari)
    if code in ("has_holds", "owes_chips"):
        ledger.create_asset(code="CHIPS")
        owner = ledger.owner_of(user=mari)
        give_chips(owner, 10)
        wallet = ledger.open_wallet(owner=owner, asset="CHIPS")
        mint = ledger.open_house_account(kind="mint", asset="CHIPS")
        entry = ledger.Entry(wallet, mint, 5)
        if code == "has_holds":
            ledger.hold(key="h", kind="event_fee", source="desk:x", postings=[entry])
        else:
            set_credit_line(account=wallet, credit=10, by=owner, reason="trust")
            ledger.redeem_chips(key="r", wallet=wallet, amount=15, by=owner, reference="lent")
    with pytest.raises(PersonRefusal) as refusal:
        erase(user=mari, gives_chips=True)
    assert refusal.value.code == code and refusal.value.message
    mari.refresh_from_db()
    assert mari.display_name == NAME and mari.is_active


@pytest.mark.committed
def test_a_member_takes_everything_along_and_nobody_else(mari):
    table = Table.objects.get()
    play_to_the_end(table)
    event_of(mari)
    told = json.loads(json.dumps(all_about(user=mari)))
    assert told["profile"]["addresses"] == [{"address": ADDRESS, "confirmed": True, "in_use": True}]
    assert [seat["table"] for seat in told["matches"]] == [str(table.pk)]
    assert len(told["deals"]) == Deal.objects.filter(table=table).count() and told["deals"][0]["moves"]
    assert told["chat"][0]["text"] == "see you" and told["events"][0]["place"] == 1
    [wallet] = [account for account in told["chips"]["accounts"] if account["kind"] == "wallet"]
    assert sum(line["amount"] for line in wallet["lines"]) == wallet["balance"]
    assert told["clubs"]["memberships"]
    browser = Client()
    browser.post("/sign-in/", {"login": "mari", "password": "a good long password"})
    # Somebody who merely finds the device is asked for the password first.
    for address in ("/settings/data/", "/settings/erase/"):
        assert browser.get(address)["Location"].startswith("/sign-in/again/")
        assert browser.post("/settings/erase/", {"username": "mari"}).status_code == 302
    browser.post("/sign-in/again/", {"password": "a good long password"})
    answer = browser.get("/settings/data/")
    assert answer["Content-Disposition"] == 'attachment; filename="mari.zip"'
    with zipfile.ZipFile(BytesIO(answer.content)) as archive:
        assert {f"{name}.json" for name in told} == set(archive.namelist())
    assert Client().get("/settings/data/").status_code == 302
    mari.refresh_from_db()
    assert mari.is_active

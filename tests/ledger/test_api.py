"""The book for programs: one's own chips for everybody, those of a club for who may read its book, and only with the scope."""

from __future__ import annotations

import pytest

from clubs.models import FIRST_CLUB, Club, Membership, User
from ledger.models import Account, Transaction
from tests.programs import Program
from tests.tournaments.events import give, wallet_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def mari() -> User:
    user = User.objects.create_user(username="mari")
    Membership.objects.create(user=user, club_id=FIRST_CLUB)
    for chips in (100, 20, 3):
        give(user, chips)
    return user


def test_a_member_reads_the_own_wallet_line_by_line(mari):
    program = Program(mari, "read")
    (wallet,) = program.get("/me/accounts").body
    assert (wallet["kind"], wallet["asset"], wallet["balance"]) == ("wallet", "CHIPS", 123)
    lines, path = [], f"/me/accounts/{wallet['id']}/statement?limit=2"
    while path:
        page = program.get(path).body
        lines += page["items"]
        path = f"/me/accounts/{wallet['id']}/statement?limit=2&cursor={page['next']}" if page["next"] else ""
    assert [line["amount"] for line in lines] == [3, 20, 100]
    told = program.get(f"/me/transactions/{lines[0]['transaction']}").body
    assert told["postings"][0]["amount"] == 3 and told["postings"][0]["credit"] == wallet["id"]
    unsealed = program.get(f"/me/transactions/{told['id']}/receipt")
    assert (unsealed.status, unsealed.code) == (409, "not_sealed")


def test_nobody_reads_the_chips_of_others_by_any_number(mari):
    jaan = User.objects.create_user(username="jaan")
    give(jaan, 7)
    program = Program(mari)
    theirs = wallet_of(jaan)
    moved = Transaction.objects.order_by("-pk").values_list("pk", flat=True)[0]
    for path in (
        f"/me/accounts/{theirs}/statement",
        f"/me/transactions/{moved}",
        f"/me/transactions/{moved}/receipt",
        f"/accounts/{theirs}/statement",
        f"/transactions/{moved}",
        f"/transactions/{moved}/receipt",
        "/transactions/999999999",
    ):
        answer = program.get(path)
        assert (answer.status, answer.code) in ((404, "unknown_account"), (404, "unknown_transaction")), path
    assert program.get("/accounts").code == "no_right"


def test_an_auditor_reads_the_book_of_the_own_club_with_the_scope_and_the_right_and_not_with_one_alone(mari):
    dora = User.objects.create_user(username="dora")
    membership = Membership.objects.create(user=dora, club_id=FIRST_CLUB, roles=["auditor"])
    assert Program(dora, "read", "play", "organise").get("/accounts").code == "scope_missing"
    program = Program(dora, "audit")
    seen, path = [], "/accounts?limit=1"
    while path:
        page = program.get(path).body
        seen += page["items"]
        path = f"/accounts?limit=1&cursor={page['next']}" if page["next"] else ""
    assert {line["id"] for line in seen} == set(Account.objects.values_list("pk", flat=True))
    assert [line["owner"] for line in seen if line["kind"] == "wallet"] == ["mari"]
    path = f"/accounts/{wallet_of(mari)}/statement"
    assert len(program.get(path).body["items"]) == 3
    membership.roles = []
    membership.save()
    assert program.get("/accounts").code == "no_right" and program.get(path).status == 404

    other = Club.objects.create(slug="others", name="Others")
    Membership.objects.create(user=dora, club=other, roles=["auditor"])
    assert program.get("/accounts?club=others").body["items"] == []
    assert program.get(path).status == 404, "an office in another club opens nothing here"

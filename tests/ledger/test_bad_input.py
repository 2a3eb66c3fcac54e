"""What people type wrongly, in every form of the desk and the audit desk: a sentence that helps, and nothing written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from clubs.models import User
from ledger import services
from ledger.models import Account, Transaction
from tests.conftest import Filled
from tests.ledger.books import own_copy
from tests.ledger.desk import DeskBook, desk_filled, person

pytestmark = pytest.mark.committed(role="site", filled=desk_filled)

TABLES = (
    "asset",
    "account",
    "transaction",
    "posting",
    "note",
    "creditline",
    "accountowner",
    "adjustment",
    "export",
)


@pytest.fixture
def book(filled: Filled, proof_files: Path) -> DeskBook:
    services.create_asset(code="GOLD", scale=2)
    made: DeskBook = own_copy(filled, proof_files)
    return made


@pytest.fixture
def treasurer(book: DeskBook) -> Client:
    return signed_in(person("treasurer", is_staff=True))


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    services.owner_of(user=user)
    return client


def written() -> dict[str, list[Any]]:
    """Everything in the book."""
    rows = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"SELECT to_jsonb(t) FROM ledger_{table} t ORDER BY to_jsonb(t)::text")
            rows[table] = cursor.fetchall()
    return rows


def errors_of(response: Any) -> str:
    """The sentences beside the fields and above the form."""
    lists = re.findall(r'<ul class="errorlist.*?</ul>', response.content.decode(), re.DOTALL)
    return " ".join(" ".join(strip_tags(each) for each in lists).replace("&#x27;", "'").split())


def filled(name: str, book: DeskBook) -> dict[str, Any]:
    """An act of the desk, filled in so that it can be done."""
    fields: dict[str, Any] = {
        "key": "desk:bad input",
        "asset": "CHIPS",
        "amount": "5",
        "member": book.member.pk,
    }
    fields |= {"reference": "receipt 8"} if name in ("issue", "redeem") else {"reason": "a mistake"}
    if name == "move":
        jaan = User.objects.filter(username="jaan").first() or person("jaan")
        fields |= {"payer": book.member.pk, "payee": jaan.pk}
    if name == "credit":
        fields["credit"] = fields.pop("amount")
    if name == "clear":
        fields["direction"] = "from_member"
    return fields


ACTS = ("issue", "redeem", "move", "credit", "clear")
RANGE = "is a whole number from"
AMOUNTS = {
    "negative": ("-5", RANGE),
    "nought": ("0", RANGE),
    "just too much": ("1000000000001", RANGE),
    "2**63 - 1": (str(2**63 - 1), RANGE),
    "2**63": (str(2**63), RANGE),
    "2**64 and more": (str(2**65), RANGE),
    "a hundred digits": ("9" * 100, RANGE),
    "an exponent": ("1e400", RANGE),
    "an exponent beyond all numbers": ("1e999999999", RANGE),
    "a negative exponent": ("1e-999999999", "no more than 6 decimal places"),
    "a fraction": ("1.5", RANGE),
    "a tiny fraction": ("0.0000001", "no more than 6 decimal places"),
    "a long tail": ("5." + "0" * 30 + "1", "no more than 6 decimal places"),
    "a comma": ("1,5", "Enter a number"),
    "not a number": ("NaN", "Enter a number"),
    "infinite": ("Infinity", "Enter a number"),
    "a word": ("five", "Enter a number"),
    "a formula": ("=1+1", "Enter a number"),
    "nothing": ("", "This field is required"),
    "spaces": ("   ", "Enter a number"),
}


@pytest.mark.parametrize("name", ACTS)
def test_every_act_can_be_done_when_it_is_filled_in_well(
    book: DeskBook, treasurer: Client, name: str
) -> None:
    before = written()
    response = treasurer.post(reverse("ledger:act", args=[name]), filled(name, book))
    assert response.status_code == 302
    assert written() != before


@pytest.mark.parametrize("name", ACTS)
def test_an_amount_that_cannot_be_is_told_and_nothing_is_written(
    book: DeskBook, treasurer: Client, name: str
) -> None:
    good = filled(name, book)
    field = "credit" if name == "credit" else "amount"
    before = written()
    for case, (amount, words) in AMOUNTS.items():
        if (name, case) == ("credit", "nought"):
            continue  # A credit line of nothing ends one.
        response = treasurer.post(reverse("ledger:act", args=[name]), {**good, field: amount})
        assert (case, response.status_code) == (case, 422)
        assert words in errors_of(response), case
    assert written() == before


CHOICE = "Select a valid choice"
FIELDS = {
    "no member": ("member", "", "This field is required"),
    "a member that there is not": ("member", "999999", CHOICE),
    "a member's number that no number can be": ("member", str(2**63), CHOICE),
    "a member by name": ("member", "mari", CHOICE),
    "a payer that there is not": ("payer", "999999", CHOICE),
    "a payee by name": ("payee", "jaan", CHOICE),
    "a nought byte for a member": ("member", "\0", "Null characters are not allowed"),
    "chips that there are not": ("asset", "NONE", CHOICE),
    "no chips": ("asset", "", "This field is required"),
    "a nought byte for chips": ("asset", "\0", "Null characters are not allowed"),
    "a direction that there is not": ("direction", "sideways", CHOICE),
    "no reference": ("reference", "", "This field is required"),
    "a blank reference": ("reference", "  \t ", "This field is required"),
    "a long reference": ("reference", "x" * 501, "at most 500 characters"),
    "a nought byte in the reference": ("reference", "a\0b", "Null characters are not allowed"),
    "no reason": ("reason", "", "This field is required"),
    "a long reason": ("reason", "x" * 501, "at most 500 characters"),
    "a nought byte in the reason": ("reason", "a\0b", "Null characters are not allowed"),
    "no key": ("key", "", "This field is required"),
    "a long key": ("key", "desk:" + "x" * 60, "at most 64 characters"),
    "the key of a table's move": ("key", "table/1/event/2", "This form is not from this desk"),
}


@pytest.mark.parametrize("name", ACTS)
def test_a_field_that_cannot_be_is_told_and_nothing_is_written(
    book: DeskBook, treasurer: Client, name: str
) -> None:
    good = filled(name, book)
    before = written()
    tried = 0
    for case, (field, value, words) in FIELDS.items():
        if field in good and not (field == "member" and name == "move"):
            response = treasurer.post(reverse("ledger:act", args=[name]), {**good, field: value})
            assert (case, response.status_code) == (case, 422)
            assert re.search(words, errors_of(response)), (case, errors_of(response))
            tried += 1
    assert tried >= 8
    assert written() == before


def no_wallet(book: DeskBook) -> dict[str, Any]:
    return {"member": person("poor").pk, "payer": User.objects.get(username="poor").pk}


def closed(book: DeskBook) -> dict[str, Any]:
    """The member's wallet is empty and closed."""
    owner = services.owner_of(user=book.member)
    by = services.owner_of(user=person("closer"))
    balance = Account.objects.get(pk=book.wallet).balance
    services.redeem_chips(key="desk:all", wallet=book.wallet, amount=balance, by=by, reference="x")
    services.close_account(account=services.open_wallet(owner=owner, asset="CHIPS"))
    return {}


def too_poor(book: DeskBook) -> dict[str, Any]:
    return {"amount": "801"}


def wrong_chips(book: DeskBook) -> dict[str, Any]:
    """The member has CHIPS and no GOLD."""
    return {"asset": "GOLD", "amount": "0.05"}


def too_poor_in_gold(book: DeskBook) -> dict[str, Any]:
    """The member has 1.00 GOLD."""
    by = services.owner_of(user=person("giver 3"))
    wallet = services.open_wallet(owner=services.owner_of(user=book.member), asset="GOLD")
    services.issue_chips(key="desk:gold", wallet=wallet, amount=100, by=by, reference="x")
    return {"asset": "GOLD", "amount": "1.05"}


def same_member(book: DeskBook) -> dict[str, Any]:
    return {"payee": book.member.pk}


def credit_in_use(book: DeskBook) -> dict[str, Any]:
    by = services.owner_of(user=person("giver 2"))
    services.set_credit_line(account=book.wallet, credit=100, by=by, reason="x")
    services.redeem_chips(key="desk:below", wallet=book.wallet, amount=850, by=by, reference="x")
    return {"credit": "49"}


MARI = r"Account \d+ \(wallet of Mari Maasikas\)"
REFUSED = [
    ("redeem", no_wallet, "poor has no CHIPS. Choose other chips"),
    ("redeem", too_poor, f"{MARI} lacks 1 chips"),
    ("redeem", too_poor_in_gold, f"{MARI} lacks 0.05 chips"),
    ("redeem", wrong_chips, "Mari Maasikas has no GOLD. Choose other chips"),
    ("move", no_wallet, "poor has no CHIPS. Choose other chips"),
    ("move", too_poor, f"{MARI} lacks 1 chips"),
    ("move", wrong_chips, "Mari Maasikas has no GOLD. Choose other chips"),
    ("move", same_member, r"cannot move from account \d+ \(wallet of Mari Maasikas\) to itself"),
    ("clear", no_wallet, "poor has no CHIPS. Choose other chips"),
    ("clear", too_poor, f"{MARI} lacks 1 chips"),
    ("clear", wrong_chips, "Mari Maasikas has no GOLD. Choose other chips"),
    ("credit", credit_in_use, f"{MARI} is using its credit line: 1 chips must come back first"),
    *((name, closed, f"{MARI} is closed") for name in ACTS),
]


@pytest.mark.parametrize(
    ("name", "prepare", "words"), REFUSED, ids=[f"{name}-{how.__name__}" for name, how, _words in REFUSED]
)
def test_what_the_book_refuses_is_told_by_name_and_nothing_is_written(
    book: DeskBook, treasurer: Client, name: str, prepare: Any, words: str
) -> None:
    good = filled(name, book)
    fields = {**good, **{key: value for key, value in prepare(book).items() if key in good}}
    before = written()
    response = treasurer.post(reverse("ledger:act", args=[name]), fields)
    assert response.status_code == 422
    assert re.search(words, errors_of(response)), errors_of(response)
    assert {**written(), "accountowner": None} == {**before, "accountowner": None}


@pytest.mark.parametrize("name", ["issue", "redeem", "move", "clear"])
def test_a_form_that_is_sent_again_with_another_amount_says_that_it_was_sent(
    book: DeskBook, treasurer: Client, name: str
) -> None:
    """As by going back in the browser and changing a figure."""
    fields = filled(name, book)
    address = reverse("ledger:act", args=[name])
    assert treasurer.post(address, fields).status_code == 302
    before = written()
    response = treasurer.post(address, {**fields, "amount": "6"})
    made = Transaction.objects.get(key=fields["key"]).pk
    assert response.status_code == 422
    assert f"This form was sent before and made transaction {made}." in errors_of(response)
    assert treasurer.post(address, fields).status_code == 302, "the very same is the same transaction"
    assert written() == before


def test_a_form_that_was_refused_can_be_put_right_and_sent(book: DeskBook, treasurer: Client) -> None:
    fields = filled("redeem", book)
    address = reverse("ledger:act", args=["redeem"])
    assert treasurer.post(address, {**fields, "amount": "801"}).status_code == 422
    assert treasurer.post(address, {**fields, "amount": "800"}).status_code == 302


# --- The audit desk -----------------------------------------------------------------------------------------------
HUGE = ("0", "99999999", str(2**63 - 1), str(2**63), "9" * 40)


def test_a_reversal_of_what_there_is_not_is_not_asked_for(book: DeskBook, treasurer: Client) -> None:
    before = written()
    for number in HUGE:
        address = f"/admin/ledger/transaction/{number}/request/"
        for response in (
            treasurer.get(address, follow=True),
            treasurer.post(address, {"reason": "a mistake"}, follow=True),
        ):
            assert response.redirect_chain[-1][0] == reverse("admin:ledger_transaction_changelist")
            assert f"There is no transaction {number}." in strip_tags(response.content.decode())
    assert written() == before


REASONS = {
    "": "This field is required",
    " \n ": "This field is required",
    "x" * 501: "at most 500 characters",
    "a\0b": "Null characters are not allowed",
}


def test_a_reason_that_cannot_be_is_told(book: DeskBook, treasurer: Client) -> None:
    before = written()
    address = reverse("admin:ledger_transaction_request", args=[book.won])
    for reason, words in REASONS.items():
        response = treasurer.post(address, {"reason": reason})
        assert (reason, response.status_code) == (reason, 422)
        assert words in errors_of(response)
    assert written() == before


def test_what_moved_nothing_or_was_reversed_is_told(book: DeskBook, treasurer: Client) -> None:
    entry = services.open_account(kind="entry", ref="t", asset="CHIPS")
    held = services.hold(
        key="h", kind="entry", source="x", postings=[services.Entry(book.wallet, entry, 5)]
    ).id
    void = services.void_hold(key="v", kind="entry", source="x", hold=held).id
    services.reverse(key="r", kind="reversal", source="x", transaction=book.won)
    before = written()
    for number, words in (
        (held, f"Transaction {held} moved no chips"),
        (void, f"Transaction {void} moved no chips"),
        (book.won, f"Transaction {book.won} has been reversed before."),
    ):
        address = reverse("admin:ledger_transaction_request", args=[number])
        response = treasurer.post(address, {"reason": "a mistake"})
        assert response.status_code == 422
        assert words in errors_of(response)
    assert written() == before


def test_a_request_that_there_is_not_is_not_found(book: DeskBook) -> None:
    approver = signed_in(person("approver", is_staff=True))
    before = written()
    for number in HUGE:
        for decision in ("approve", "reject"):
            response = approver.post(f"/admin/ledger/adjustment/{number}/{decision}/")
            assert (number, response.status_code) == (number, 404)
    assert written() == before


MODELS = ("asset", "account", "transaction", "seal", "verification", "creditline", "adjustment", "export")


def test_what_there_is_not_is_not_found(book: DeskBook, treasurer: Client) -> None:
    for number in HUGE:
        for address in (
            f"/chips/accounts/{number}/",
            f"/chips/accounts/{number}/statement.csv",
            f"/chips/transactions/{number}/",
            f"/chips/transactions/{number}/receipt.json",
            f"/admin/ledger/export/{number}/progress/",
            f"/admin/ledger/export/{number}/download/",
        ):
            assert (address, treasurer.get(address).status_code) == (address, 404)
        address = f"/admin/ledger/export/{number}/restart/"
        assert (address, treasurer.post(address).status_code) == (address, 404)
    for number in (*HUGE, "-1", "abc", "1.5", "=1", "_00"):
        for model in MODELS:
            response = treasurer.get(f"/admin/ledger/{model}/{number}/change/", follow=True)
            # Django's own pages lead to the front page and say it there.
            told = response.status_code == 404 or "doesn’t exist" in response.content.decode()
            assert told, (model, number, response.status_code)


EXPORTS = {
    "no format": ({"format": ""}, "This field is required"),
    "a format that there is not": ({"format": "pdf"}, CHOICE),
    "account 0": ({"account": "0"}, "greater than or equal to 1"),
    "a negative account": ({"account": "-1"}, "greater than or equal to 1"),
    "account 2**63": ({"account": str(2**63)}, "less than or equal to"),
    "a fraction of an account": ({"account": "1.5"}, "Enter a whole number"),
    "an account by name": ({"account": "wallet"}, "Enter a whole number"),
    "an account that there is not": ({"account": "99999999"}, "There is no account 99999999"),
    "a member that there is not": ({"member": "nobody"}, "Nobody by that name"),
    "a member whom half the club is called like": ({"member": "r"}, r"\d members fit"),
    "a kind that there is not": ({"kind": "=1"}, CHOICE),
    "chips that there are not": ({"asset": "NONE"}, CHOICE),
    "a source with a nought byte": ({"source": "a\0b"}, "Null characters are not allowed"),
    "a long source": ({"source": "x" * 201}, "at most 200 characters"),
    "a day that there is not": ({"since": "2026-02-30"}, "Enter a valid date"),
    "days in disorder": ({"since": "2026-02-02", "until": "2026-02-01"}, "after the last"),
    "the last day of all": ({"until": "9999-12-31"}, "years 1970 to 2999"),
    "a filtered book for Beancount": ({"format": "beancount", "kind": "ante"}, "always whole"),
}


def test_an_export_that_cannot_be_is_told_and_not_recorded(book: DeskBook, treasurer: Client) -> None:
    before = written()
    for case, (fields, words) in EXPORTS.items():
        response = treasurer.post("/admin/ledger/export/add/", {"format": "csv", **fields})
        assert (case, response.status_code) == (case, 422)
        assert re.search(words, errors_of(response)), (case, errors_of(response))
    assert written() == before


def test_a_day_that_cannot_be_is_told_by_every_filter(book: DeskBook, treasurer: Client) -> None:
    """The last day of all once had no midnight after it, and the page failed."""
    for day in ("0001-01-01", "1969-12-31", "9999-12-31", "10000-01-01", "2026-02-30", "x", "=1"):
        for name in ("since", "until"):
            listed = treasurer.get(f"/admin/ledger/transaction/?{name}={day}")
            assert re.search("years 1970 to 2999|Enter a valid date", errors_of(listed))
            for address in (
                f"/admin/ledger/account/{book.wallet}/change/",
                f"/chips/accounts/{book.wallet}/",
                f"/chips/accounts/{book.wallet}/statement.csv",
            ):
                assert treasurer.get(f"{address}?{name}={day}").status_code == 200


def test_a_note_that_a_spreadsheet_would_run_is_guarded_in_the_statement(book: DeskBook) -> None:
    begins = ("=", "+", "-", "@", "\t", "\r", "\n", " =", "＝")
    for n, begin in enumerate(begins):
        note = f"{begin}HYPERLINK({n})"
        entry = services.Entry(book.wallet, book.seat, 1)
        services.post(key=f"n{n}", kind="x", source="x", postings=[entry], note=note)
    response = signed_in(book.member).get(reverse("ledger:statement_csv", args=[book.wallet]))
    text = b"".join(pieces(response)).decode()
    for n, begin in enumerate(begins):
        assert f"'{begin}HYPERLINK({n})" in text


def pieces(response: Any) -> list[bytes]:
    """A response that is sent in pieces."""

    async def collect() -> list[bytes]:
        return [piece async for piece in response.streaming_content]

    return async_to_sync(collect)()

"""Pages of the book for people: one's own chips, receipts, heads, and the treasurer's desk."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import User
from games import stakes
from ledger import selectors, services
from ledger.models import Account, Asset, CreditLine, Transaction
from ledger.rules.receipt import check_receipt
from ledger.selectors.desk import KINDS
from ledger.services.signing import verify_signature
from ledger.wording import credit_line_set, done_at_desk
from tests.games.tables import play_to_the_end
from tests.games.test_stakes import give_chips, rich_member, staked_table
from tests.ledger.books import seal_everything
from tests.ledger.desk import DeskBook, desk_book, everybody, person

db = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text_of(response: Any) -> str:
    """What a page shows, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def whole(response: Any) -> str:
    """A response that is sent in pieces."""

    async def collect() -> bytes:
        return b"".join([piece async for piece in response.streaming_content])

    return async_to_sync(collect)().decode()


@pytest.fixture
def book(committed_database: object) -> DeskBook:
    return desk_book(person("mari", display_name="Mari Maasikas"))


@pytest.fixture
def treasurer(committed_database: object) -> Client:
    """Committed, since a refusal ends the transaction that it happens in."""
    services.create_asset(code="CHIPS")
    return signed_in(person("treasurer"))


# --- The way in ---------------------------------------------------------------------------------------------------
@db
@pytest.mark.parametrize(
    ("name", "links"),
    [
        ("anonymous", []),
        ("member", ["Chips"]),
        ("viewer", ["Chips", "Audit"]),
        ("auditor", ["Chips", "Audit"]),
        ("approver", ["Chips", "Audit"]),
        ("treasurer", ["Chips", "Treasurer", "Audit"]),
        ("superuser", ["Chips", "Treasurer", "Audit"]),
    ],
)
def test_the_site_leads_everybody_to_what_they_may_see_of_the_book(name: str, links: list[str]) -> None:
    user = everybody()[name]
    client = signed_in(user) if user is not None else Client()
    found = re.findall(
        r'<li[^>]*><a href="([^"]+)"[^>]*>(\w+)</a>', client.get(reverse("ledger:heads")).content.decode()
    )
    shown = dict.fromkeys(title for _address, title in found if title in ("Chips", "Treasurer", "Audit"))
    assert list(shown) == links, "a phone's list and a wide page's may both name a page"
    assert all(client.get(address).status_code == 200 for address, title in found if title in links)


@db
def test_somebody_whom_the_admin_does_not_let_in_is_not_led_there() -> None:
    auditor = signed_in(person("auditor"))
    assert reverse("admin:ledger_dashboard") not in auditor.get(reverse("ledger:heads")).content.decode()


# --- One's own chips ----------------------------------------------------------------------------------------------
@pytest.mark.committed(role="site")
def test_a_member_sees_the_wallet_with_its_running_balance(book: DeskBook) -> None:
    shown = text_of(signed_in(book.member).get(reverse("ledger:own_chips")))
    assert "800 CHIPS" in shown
    assert "buy-in" in shown and "−200 800" in shown
    assert "chips given out" in shown and "+1,000 1,000" in shown
    assert "receipt 7" in shown, "the note is theirs to read"


@db
def test_a_member_without_chips_is_told_where_they_come_from() -> None:
    shown = text_of(signed_in(person("mari")).get(reverse("ledger:own_chips"))).replace("&#x27;", "'")
    assert "The club’s treasurer gives them out" in shown
    assert "Open a line above" not in shown  # There is none.


@db
def test_many_wallets_do_not_mean_many_queries() -> None:
    """A member of twenty tournaments has twenty wallets."""
    mari = person("mari")
    owner = services.owner_of(user=mari)

    def open_wallets(first: int, last: int) -> None:
        for n in range(first, last):
            services.create_asset(code=f"T{n}X")
            services.open_wallet(owner=owner, asset=f"T{n}X")

    open_wallets(0, 4)
    client = signed_in(mari)
    with CaptureQueriesContext(connection) as few:
        client.get(reverse("ledger:own_chips"))
    open_wallets(4, 20)
    with CaptureQueriesContext(connection) as many:
        shown = text_of(client.get(reverse("ledger:own_chips")))
    assert len(many) == len(few)
    assert all(f"T{n}X" in shown for n in range(20))


@pytest.mark.committed(role="site")
def test_pages_of_a_statement_join_and_a_filter_stays_on(book: DeskBook) -> None:
    for n in range(60):
        services.post(
            key=f"n{n}", kind="ante", source="table/1/x", postings=[services.Entry(book.wallet, book.seat, 1)]
        )
    client = signed_in(book.member)
    address: str | None = reverse("ledger:statement", args=[book.wallet]) + "?direction=out&kind=ante"
    seen: list[str] = []
    while address:
        page = client.get(address).content.decode()
        seen += re.findall(r"/chips/transactions/(\d+)/", page)
        following = re.search(r'href="(\?[^"]*seq=\d+)"', page)
        address = following and reverse("ledger:statement", args=[book.wallet]) + following[1].replace(
            "&amp;", "&"
        )
    expected = Transaction.objects.filter(kind="ante", key__startswith="n").order_by("-id")
    assert seen == [str(number) for number in expected.values_list("id", flat=True)]


@pytest.mark.committed(role="site")
def test_the_statement_as_csv_is_the_whole_statement(book: DeskBook) -> None:
    response = signed_in(book.member).get(reverse("ledger:statement_csv", args=[book.wallet]))
    assert response["Content-Disposition"] == f'attachment; filename="statement-{book.wallet}.csv"'
    rows = list(csv.DictReader(io.StringIO(whole(response), newline="")))
    assert [(row["kind"], row["amount"], row["balance"]) for row in rows] == [
        ("buy_in", "-200", "800"),
        ("issue", "1000", "1000"),
    ]


@pytest.mark.committed(role="site")
def test_a_note_that_is_a_formula_is_guarded_in_the_csv(book: DeskBook) -> None:
    by = services.owner_of(user=person("tiit"))
    services.issue_chips(key="f", wallet=book.wallet, amount=1, by=by, reference="=HYPERLINK(1)")
    response = signed_in(book.member).get(reverse("ledger:statement_csv", args=[book.wallet]))
    assert "'=HYPERLINK(1)" in whole(response)


@pytest.mark.committed(role="site")
@pytest.mark.parametrize(
    "query",
    ["at=x&seq=1", "at=2026-01-01T00:00&seq=1", "kind=%00", "since=yesterday", "seq=1", "at=%00&seq=%00"],
)
def test_a_garbled_address_shows_the_first_page(book: DeskBook, query: str) -> None:
    response = signed_in(book.member).get(reverse("ledger:statement", args=[book.wallet]) + "?" + query)
    assert response.status_code == 200
    assert "buy-in" in text_of(response)


@db
def test_a_line_leads_to_the_deal_that_caused_it() -> None:
    services.create_asset(code="CHIPS")
    give_chips(services.open_wallet(owner=stakes.BOTS_OWNER, asset="CHIPS"), 100_000)
    mari = rich_member("mari")
    table = staked_table("three_card_loo", mari)
    play_to_the_end(table)
    seat = table.seats.get(number=1).account
    page = signed_in(mari).get(reverse("ledger:statement", args=[seat])).content.decode()
    assert re.search(rf"/tables/{table.id}/deals/\d+/\?v=\d+", page)
    with CaptureQueriesContext(connection) as queries:
        signed_in(mari).get(reverse("ledger:statement", args=[seat]))
    assert sum("games_logentry" in query["sql"] for query in queries) == 1, "all links in one query"


# --- Receipts and heads -------------------------------------------------------------------------------------------
@pytest.mark.committed(role="site")
def test_a_receipt_says_what_moved_between_whom(book: DeskBook) -> None:
    shown = text_of(signed_in(book.member).get(reverse("ledger:transaction", args=[book.issued])))
    assert "the club, as new chips wallet of Mari Maasikas 1,000 CHIPS" in shown
    assert "receipt 7" in shown and "This line is closed under seal 1" in shown


@pytest.mark.committed(role="site")
def test_the_receipts_file_proves_the_transaction(book: DeskBook) -> None:
    response = signed_in(book.member).get(reverse("ledger:receipt", args=[book.won]))
    checked = check_receipt(json.loads(response.content), verify_signature)
    assert checked.transaction == book.won


@pytest.mark.committed(role="site")
def test_a_receipt_before_its_seal_says_when_to_come_back(book: DeskBook) -> None:
    posted = services.post(
        key="new", kind="x", source="x", postings=[services.Entry(book.wallet, book.seat, 1)]
    )
    client = signed_in(book.member)
    assert "Seals are made every ten seconds" in text_of(
        client.get(reverse("ledger:transaction", args=[posted.id]))
    )
    response = client.get(reverse("ledger:receipt", args=[posted.id]))
    assert (response.status_code, response.json()["code"]) == (409, "not_sealed")


@pytest.mark.committed(role="site")
def test_heads_are_there_for_everybody(book: DeskBook) -> None:
    shown = text_of(Client().get(reverse("ledger:heads")))
    head = selectors.seal_lag().last
    assert head is not None and bytes(head.log_root).hex() in shown
    services.post(key="new", kind="x", source="x", postings=[services.Entry(book.wallet, book.seat, 1)])
    seal_everything()
    assert selectors.seal_lag().last != head


# --- The treasurer's desk -----------------------------------------------------------------------------------------
def act(client: Client, name: str, **fields: Any) -> Any:
    page = client.get(reverse("ledger:act", args=[name])).content.decode()
    found = re.search(r'name="key" value="([^"]+)"', page)
    assert found
    return client.post(reverse("ledger:act", args=[name]), {"key": found[1], "asset": "CHIPS", **fields})


def wallet_of(user: User, asset: str = "CHIPS") -> Account:
    wallet = services.open_wallet(owner=services.owner_of(user=user), asset=asset)
    return selectors.get_account(wallet)


@pytest.mark.committed(role="site")
def test_chips_are_given_taken_back_and_moved(treasurer: Client) -> None:
    mari, jaan = person("mari"), person("jaan")
    assert act(treasurer, "issue", member=mari.pk, amount="500", reference="receipt 9").status_code == 302
    assert act(treasurer, "redeem", member=mari.pk, amount="100", reference="receipt 10").status_code == 302
    assert (
        act(treasurer, "move", payer=mari.pk, payee=jaan.pk, amount="50", reason="a gift").status_code == 302
    )
    assert (wallet_of(mari).balance, wallet_of(jaan).balance) == (350, 50)
    by = services.owner_of(user=User.objects.get(username="treasurer"))
    assert set(Transaction.objects.values_list("source", flat=True)) == {f"desk:{by}"}


@pytest.mark.committed(role="site")
def test_a_credit_line_is_set_with_its_reason(treasurer: Client) -> None:
    mari = person("mari")
    assert act(treasurer, "credit", member=mari.pk, credit="100", reason="pays on Friday").status_code == 302
    assert wallet_of(mari).min_balance == -100
    assert act(treasurer, "credit", member=mari.pk, credit="0", reason="has paid").status_code == 302
    assert [line.reason for line in CreditLine.objects.order_by("id")] == ["pays on Friday", "has paid"]


@pytest.mark.committed(role="site")
def test_suspense_is_cleared_with_a_member_in_both_directions(treasurer: Client) -> None:
    mari = person("mari")
    suspense = services.open_house_account(kind="suspense", asset="CHIPS")
    act(treasurer, "issue", member=mari.pk, amount="50", reference="x")
    empty = treasurer.get(reverse("ledger:act", args=["clear"])).content.decode()
    assert "there is nothing to clear" in empty and 'name="key"' not in empty
    moved = services.Entry(wallet_of(mari).pk, suspense, 20)
    services.post(key="back", kind="reversal", source="x", postings=[moved])
    fields = {"member": mari.pk, "reason": "won what was not due"}
    assert act(treasurer, "clear", direction="from_member", amount="30", **fields).status_code == 302
    assert (wallet_of(mari).balance, selectors.balance(suspense)) == (0, 50)
    assert act(treasurer, "clear", direction="to_member", amount="50", **fields).status_code == 302
    assert (wallet_of(mari).balance, selectors.balance(suspense)) == (50, 0)


@pytest.mark.committed(role="site")
def test_sending_a_form_twice_gives_chips_once(treasurer: Client) -> None:
    mari = person("mari")
    fields = {"key": "desk:once", "asset": "CHIPS", "member": mari.pk, "amount": "5", "reference": "x"}
    for _ in range(2):
        assert treasurer.post(reverse("ledger:act", args=["issue"]), fields).status_code == 302
    assert wallet_of(mari).balance == 5


@pytest.mark.committed(role="site")
@pytest.mark.parametrize(
    "amount", ["-5", "0", "1.5", "1e400", "NaN", "five", "", "1000000000001", "99999999999999999999", "٣.٥"]
)
def test_an_amount_that_cannot_be_is_refused_in_words_and_writes_nothing(
    treasurer: Client, amount: str
) -> None:
    mari = person("mari")
    response = act(treasurer, "issue", member=mari.pk, amount=amount, reference="x")
    assert response.status_code == 422
    assert 'class="errorlist"' in response.content.decode()
    assert not Transaction.objects.exists()


@pytest.mark.committed(role="site")
def test_decimals_are_for_chips_that_have_them(treasurer: Client) -> None:
    services.create_asset(code="GOLD", scale=2)
    mari = person("mari")
    assert (
        act(treasurer, "issue", member=mari.pk, asset="GOLD", amount="12.34", reference="x").status_code
        == 302
    )
    assert wallet_of(mari, "GOLD").balance == 1234
    response = act(treasurer, "issue", member=mari.pk, asset="GOLD", amount="12.345", reference="x")
    assert "with at most 2 decimals" in text_of(response)
    assert "12.34 GOLD" in text_of(treasurer.get(reverse("ledger:desk")))


@pytest.mark.committed(role="site")
@pytest.mark.parametrize(
    ("name", "fields", "words"),
    [
        ("redeem", {"amount": "5", "reference": "x"}, "mari has no CHIPS"),
        ("issue", {"amount": "5", "reference": ""}, "This field is required"),
        ("issue", {"amount": "5", "reference": "x", "asset": "NONE"}, "Select a valid choice"),
        ("issue", {"amount": "5", "reference": "x", "member": "999999"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_done_is_said_in_words(
    treasurer: Client, name: str, fields: dict[str, str], words: str
) -> None:
    response = act(treasurer, name, **{"member": person("mari").pk, **fields})
    assert response.status_code == 422
    assert words in text_of(response)
    assert not Transaction.objects.exists()


@pytest.mark.committed(role="site")
def test_chips_do_not_move_from_a_member_to_the_same_member(treasurer: Client) -> None:
    mari = person("mari")
    act(treasurer, "issue", member=mari.pk, amount="5", reference="x")
    response = act(treasurer, "move", payer=mari.pk, payee=mari.pk, amount="1", reason="x")
    assert response.status_code == 422 and "Choose two accounts" in text_of(response)


@pytest.mark.committed(role="site")
def test_a_closed_wallet_takes_no_chips(treasurer: Client) -> None:
    mari = person("mari")
    services.close_account(account=wallet_of(mari).pk)
    response = act(treasurer, "issue", member=mari.pk, amount="5", reference="x")
    assert response.status_code == 422 and "is closed" in text_of(response)


@pytest.mark.committed(role="site")
def test_an_act_that_there_is_not_is_not_found(treasurer: Client) -> None:
    assert treasurer.get(reverse("ledger:act", args=["print-money"])).status_code == 404


@pytest.mark.committed(role="site")
def test_the_desk_lists_members_with_their_chips_in_few_queries(treasurer: Client) -> None:
    for n in range(30):
        services.issue_chips(
            key=f"k{n}",
            wallet=wallet_of(person(f"member{n}", display_name=f"Member {n}")).pk,
            amount=n + 1,
            by=services.owner_of(user=User.objects.get(username="treasurer")),
            reference="x",
        )
    with CaptureQueriesContext(connection) as queries:
        shown = text_of(treasurer.get(reverse("ledger:desk")))
    assert "Member 29 30 CHIPS" in shown
    assert len(queries) <= 13
    assert "Member 29" not in text_of(treasurer.get(reverse("ledger:desk") + "?q=Member+1"))
    assert "Nobody by that name" in text_of(treasurer.get(reverse("ledger:desk") + "?q=%00%25"))


@pytest.mark.committed(role="site")
def test_a_new_site_gets_its_first_chips_at_the_desk(treasurer: Client) -> None:
    """Without a kind of chips the form that gives them out had nothing to choose, and no page made one."""
    path = reverse("ledger:act", args=["kind"])
    key = treasurer.get(path).context["form"].initial["key"]
    for name, words in (("x", "cannot be an asset"), ("gold", "")):
        answer = treasurer.post(path, {"key": key, "asset": name})
        assert answer.status_code == (422 if words else 302)
        assert words in text_of(answer)
    assert "GOLD" in text_of(treasurer.get(reverse("ledger:act", args=["issue"])))
    again = treasurer.post(path, {"key": key, "asset": "GOLD"})
    assert again.status_code == 422 and "already" in text_of(again)


@pytest.mark.committed(role="site")
def test_guests_are_not_on_the_desk(treasurer: Client) -> None:
    person("guest", display_name="Guest 1234", is_guest=True)
    assert "Guest 1234" not in text_of(treasurer.get(reverse("ledger:desk")))


@pytest.mark.django_db
def test_the_check_page_trusts_the_sites_own_keys_alone(client: Client) -> None:
    """A receipt signed with a stranger's key once passed there, because no key was named."""
    from ledger.services.signing import current_signer

    key = current_signer().public_key.hex()
    assert client.get("/chips/check/").context["keys"] == [key]
    assert f'["{key}"]' in client.get("/chips/check/").content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_done_at_the_desk_reads_on_from_a_name(kind: str) -> None:
    """The club's log said "Olga chips given out: 500 CHIPS"."""
    asset = Asset(code="CHIPS", scale=0)
    assert re.fullmatch(
        r"(gave out|took back|moved|cleared) 1,500\N{NO-BREAK SPACE}CHIPS.*", done_at_desk(kind, 1500, asset)
    )
    assert credit_line_set(500, asset) == "set a credit line of 500\N{NO-BREAK SPACE}CHIPS"

"""The audit desk: what its pages tell, what can be done there, and how many questions a page asks."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.models import User
from ledger import services
from ledger.admin import looking
from ledger.admin.dashboard import bars, round_up
from ledger.forms import fields
from ledger.models import Adjustment, ExportResult, Transaction, Verification
from ledger.selectors import finding
from ledger.services.exports import recorded_file
from ledger.services.heads import heads_file
from ledger.services.verifying import verify
from tests.ledger.books import seal_everything
from tests.ledger.desk import DeskBook, asked_reversal, desk_book, person

pytestmark = pytest.mark.committed(role="site")


@pytest.fixture
def book(committed_database: object) -> DeskBook:
    return desk_book(person("mari", display_name="Mari Maasikas"))


@pytest.fixture
def auditor(book: DeskBook) -> Client:
    return signed_in(person("auditor", is_staff=True, display_name="Ave Auditor"))


@pytest.fixture
def approver(book: DeskBook) -> Client:
    return signed_in(person("approver", is_staff=True, display_name="Aime Approver"))


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def user_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def look(client: Client, page: str, *args: object, query: str = "", status: int = 200) -> str:
    """The text of a page of the admin."""
    response = client.get(reverse(f"admin:ledger_{page}", args=args) + query)
    assert response.status_code == status
    return shown(response)


def shown(response: Any) -> str:
    return " ".join(strip_tags(response.content.decode().replace("><", "> <")).replace("&#x27;", "'").split())


def rows(client: Client, model: str, query: str) -> list[str]:
    """The first column of a list."""
    page = client.get(reverse(f"admin:ledger_{model}_changelist") + query).content.decode()
    return re.findall(r'<th class="field-[a-z_]+"><a href="[^"]+">([^<]+)</a>', page)


# --- Accounts -----------------------------------------------------------------------------------------------------
def test_an_account_is_a_statement_with_names_and_a_running_balance(book: DeskBook, auditor: Client) -> None:
    text = look(auditor, "account_change", book.wallet)
    assert "Wallet of Mari Maasikas".lower() in text.lower()
    assert "buy-in seat of Mari Maasikas −200 800" in text
    assert "chips given out receipt 7 mint +1,000 1,000" in text


def test_the_lines_of_a_statement_can_be_chosen(book: DeskBook, auditor: Client) -> None:
    other = services.open_wallet(owner=services.owner_of(user=person("jaan")), asset="CHIPS")
    services.post(key="x", kind="move", source="desk", postings=[services.Entry(book.wallet, other, 7)])
    queries = {
        "?kind=buy_in": ["200"],
        "?member=jaan": ["7"],
        "?member=nobody": [],
        "?source=test/1": ["200"],
        "?direction=in": ["1,000"],
        f"?since={timezone.localdate() + timedelta(days=1)}": [],
        f"?until={timezone.localdate()}": ["7", "200", "1,000"],
    }
    for query, amounts in queries.items():
        page = auditor.get(
            reverse("admin:ledger_account_change", args=[book.wallet]) + query
        ).content.decode()
        assert re.findall(r'<td class="number">[+−]([\d,]+)</td><td class="number"></td>', page) == amounts, (
            query
        )


def test_a_member_who_was_erased_is_called_erased(book: DeskBook, auditor: Client) -> None:
    services.post(key="back", kind="x", source="x", postings=[services.Entry(book.seat, book.wallet, 200)])
    by = services.owner_of(user=person("tiit"))
    services.redeem_chips(key="all", wallet=book.wallet, amount=1_000, by=by, reference="leaves the club")
    book.member.delete()
    text = look(auditor, "account_change", book.wallet)
    assert "wallet of erased member" in text and "Mari" not in text and "leaves the club" not in text
    assert "erased member" in look(auditor, "transaction_changelist")
    assert "The proof holds" in look(auditor, "transaction_change", book.issued), "every proof stays valid"
    assert "Note erased" in look(auditor, "transaction_change", book.issued)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("?kind=pot", {"pot"}),
        ("?member=Mari", {"wallet", "seat"}),
        ("?asset=CHIPS&kind=mint", {"mint"}),
        ("?ref=table/1", {"seat"}),
        ("?standing=chips", {"wallet", "seat", "mint"}),
        ("?standing=closed", set()),
        ("?standing=hold", set()),
    ],
)
def test_accounts_are_found_by_what_they_are(
    book: DeskBook, auditor: Client, query: str, kinds: set[str]
) -> None:
    page = auditor.get(reverse("admin:ledger_account_changelist") + query).content.decode()
    assert set(re.findall(r'<td class="field-called">(\w+)', page)) == kinds


def test_accounts_are_searched_by_number_owner_and_reference(book: DeskBook, auditor: Client) -> None:
    owner = services.owner_of(user=book.member)
    for wanted in (str(book.wallet), str(owner)):
        assert str(book.wallet) in rows(auditor, "account", f"?q={wanted}")
    assert rows(auditor, "account", "?q=table/1/1") == [str(book.seat)]
    assert rows(auditor, "account", "?q=99999999999999999999") == []
    assert rows(auditor, "account", "?q=9223372036854775807") == []


# --- Transactions -------------------------------------------------------------------------------------------------
def test_a_transaction_tells_postings_cause_seal_and_a_live_proof(book: DeskBook, auditor: Client) -> None:
    text = look(auditor, "transaction_change", book.won)
    assert "pot table 1 0 seat of Mari Maasikas 200 30 CHIPS" in text
    assert "test/1/won" in text
    assert "The proof holds: the transaction stands unchanged in seal 1" in text
    for step in (
        "give the leaf",
        "to the root of seal 1",
        "hash of seal 1",
        "head 1",
        "signed with a key of this club",
    ):
        assert step in text
    assert "is the one in the file of heads, outside the database" in text


def test_a_transaction_that_is_not_sealed_yet_says_so(book: DeskBook, auditor: Client) -> None:
    posted = services.post(
        key="n", kind="x", source="x", postings=[services.Entry(book.wallet, book.seat, 1)]
    )
    assert "Not sealed yet" in look(auditor, "transaction_change", posted.id)


@pytest.mark.committed
def test_a_tampered_posting_makes_the_proof_fail_on_the_page(book: DeskBook, auditor: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_posting DISABLE TRIGGER append_only")
        cursor.execute("UPDATE ledger_posting SET amount = 31 WHERE transaction_id = %s", [book.won])
    text = look(auditor, "transaction_change", book.won)
    assert "The proof does not hold." in text and "do not give the hash that was sealed" in text
    assert "The proof holds" not in text


def test_a_head_that_is_not_the_published_one_makes_the_proof_fail(book: DeskBook, auditor: Client) -> None:
    path = heads_file()
    text = path.read_text()
    root = re.search(r'"log_root": "([0-9a-f]+)"', text)
    assert root
    path.write_text(text.replace(root[1], "0" * 64))
    assert "The proof does not hold. head_mismatch" in look(auditor, "transaction_change", book.won)
    path.write_text("nonsense\n")
    assert "bad_heads_file" in look(auditor, "transaction_change", book.won)


def test_a_head_that_is_not_published_yet_is_no_fault(book: DeskBook, auditor: Client) -> None:
    heads_file().unlink()
    text = look(auditor, "transaction_change", book.won)
    assert "The proof holds" in text and "is not in the file of heads yet" in text


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("?kind=ante", ["ante"]),
        ("?member=mari", ["tricks paid", "ante", "buy-in", "chips given out"]),
        ("?member=nobody", []),
        ("?source=test/1", ["tricks paid", "ante", "buy-in"]),
        ("?state=hold", ["entry"]),
        ("?state=resolved", []),
        ("?state=reversal", []),
        ("?q=test/1/ante", ["ante"]),
        ("?q=won", ["tricks paid"]),
        ("?q=give", ["chips given out"]),
        ("?q=test/1&kind=ante", ["ante"]),
        ("?since=2099-01-01", []),
        ("?until=2099-01-01&kind=buy_in", ["buy-in"]),
        ("?since=nonsense", []),
        ("?kind=nonsense", []),
        ("?q=%00", None),
    ],
)
def test_transactions_are_found(book: DeskBook, auditor: Client, query: str, kinds: list[str] | None) -> None:
    entry = services.open_account(kind="entry", ref="t", asset="CHIPS")
    bob = book.club.bob
    book.club.give(bob, 10)
    services.hold(key="h", kind="entry", source="tournament/1", postings=[services.Entry(bob, entry, 5)])
    response = auditor.get(reverse("admin:ledger_transaction_changelist") + query)
    assert response.status_code == 200
    if kinds is not None:
        found = re.findall(r'<td class="field-kind_name">([^<]+)</td>', response.content.decode())
        assert found == kinds


def test_a_transaction_is_found_by_its_number(book: DeskBook, auditor: Client) -> None:
    assert rows(auditor, "transaction", f"?q={book.ante}") == [str(book.ante)]
    assert rows(auditor, "transaction", "?q=99999999999999999999999") == []


def test_a_table_is_found_by_its_id_alone(book: DeskBook, auditor: Client) -> None:
    table = "7f3c1f64-0000-4000-8000-000000000001"
    entry = services.Entry(book.wallet, book.seat, 1)
    posted = services.post(key="t", kind="x", source=f"table/{table}/event/1", postings=[entry])
    assert rows(auditor, "transaction", f"?source={table}") == [str(posted.id)]


def test_a_long_list_is_led_through_to_its_bound_and_says_that_there_is_more(
    book: DeskBook, auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "MOST", 2)
    text = look(auditor, "transaction_changelist")
    assert "The newest 2 of about" in text
    assert "More than 2 fit: narrow the filter" in look(
        auditor, "transaction_changelist", query="?member=mari"
    )
    assert "1 transaction" in look(auditor, "transaction_changelist", query="?kind=ante")


def test_a_list_says_how_far_back_it_looked_for_a_member(
    book: DeskBook, auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "MOST_TOUCHED", 2)
    text = look(auditor, "transaction_changelist", query="?member=mari")
    assert "Looked back to" in text and "Choose an earlier last day" in text
    assert "Looked back to" not in look(auditor, "transaction_changelist", query="?kind=ante")
    monkeypatch.setattr(finding, "MOST_OF_SOURCE", 1)
    assert "Looked back to" in look(auditor, "transaction_changelist", query="?source=test/1/")
    assert "Many fit: looked back to" in look(auditor, "transaction_changelist", query="?q=test/1/")


def test_part_of_a_name_that_fits_too_many_members_asks_for_more_of_it(
    book: DeskBook, auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fields, "MOST_MEMBERS", 1)
    for name in ("mari anne", "mari beth"):
        services.owner_of(user=person(name))
    for page in ("transaction_changelist", "account_changelist"):
        text = look(auditor, page, query="?member=mari")
        assert "More than 1 members fit. Write more of the name." in text
        assert "More than" not in look(auditor, page, query="?member=anne")


# --- Reversals ----------------------------------------------------------------------------------------------------
def test_a_reversal_is_asked_for_by_one_and_approved_by_another(
    book: DeskBook, auditor: Client, approver: Client
) -> None:
    page = reverse("admin:ledger_transaction_request", args=[book.won])
    assert "wallet of Mari Maasikas suspense 30 CHIPS" in shown(auditor.get(page))
    answer = auditor.post(page, {"reason": "the trick was counted twice"})
    asked = Adjustment.objects.get()
    assert answer["Location"] == reverse("admin:ledger_adjustment_change", args=[asked.pk])
    assert asked.requested_by == services.owner_of(user=user_of(auditor))

    text = look(approver, "adjustment_change", asked.pk)
    assert "the trick was counted twice" in text and "Ave Auditor" in text
    assert "wallet of Mari Maasikas suspense 30 CHIPS" in text
    approver.post(reverse("admin:ledger_adjustment_approve", args=[asked.pk]))
    asked.refresh_from_db()
    assert asked.state == "approved" and asked.reversal is not None
    assert asked.reversal.reverses_id == book.won
    assert "Aime Approver" in look(approver, "adjustment_change", asked.pk)
    assert "Reversed by" in look(auditor, "transaction_change", book.won)
    seal_everything()
    assert verify(record=False).passed


def test_what_the_page_says_a_reversal_would_move_is_what_it_moves(book: DeskBook, approver: Client) -> None:
    from ledger.services.adjustments import planned_reversal

    auditor = person("auditor", is_staff=True)
    book.club.give(book.wallet, 1_000)
    for transaction in (book.issued, book.ante, book.won):
        plan = planned_reversal(transaction_id=transaction)
        request = services.request_adjustment(
            transaction_id=transaction, requested_by=services.owner_of(user=auditor), reason="x"
        )
        posted = services.approve_adjustment(
            adjustment=request.pk, approved_by=services.owner_of(user=user_of(approver))
        )
        made = [
            ((p.debit.kind, p.debit.owner), (p.credit.kind, p.credit.owner), p.amount)
            for p in Transaction.objects.get(pk=posted.id)
            .postings.select_related("debit", "credit")
            .order_by("n")
        ]
        said = [((e.payer.kind, e.payer.owner), (e.payee.kind, e.payee.owner), e.amount) for e in plan]
        assert made == said


def test_who_asked_cannot_approve_and_is_told_why(book: DeskBook) -> None:
    both = person("auditor", is_staff=True)
    both.user_permissions.add(Permission.objects.get(codename="approve_adjustment"))
    client = signed_in(both)
    asked = asked_reversal(book, both)
    assert "You asked for this yourself. Somebody else must approve it." in look(
        client, "adjustment_change", asked.pk
    )
    answer = client.post(reverse("admin:ledger_adjustment_approve", args=[asked.pk]), follow=True)
    assert "You asked for this yourself. Somebody else must approve it." in shown(answer)
    asked.refresh_from_db()
    assert asked.state == "requested"


def test_even_a_superuser_needs_a_second_person(book: DeskBook) -> None:
    boss = User.objects.create_superuser(username="boss", password="a good long password")
    asked = asked_reversal(book, boss)
    signed_in(boss).post(reverse("admin:ledger_adjustment_approve", args=[asked.pk]))
    asked.refresh_from_db()
    assert asked.state == "requested"


def test_a_request_can_be_withdrawn_and_turned_down(
    book: DeskBook, auditor: Client, approver: Client
) -> None:
    own = asked_reversal(book, user_of(auditor))
    assert "Withdraw the request" in look(auditor, "adjustment_change", own.pk)
    auditor.post(reverse("admin:ledger_adjustment_reject", args=[own.pk]))
    other = asked_reversal(book, user_of(auditor))
    approver.post(reverse("admin:ledger_adjustment_reject", args=[other.pk]))
    assert list(Adjustment.objects.values_list("state", flat=True).order_by("id")) == ["rejected", "rejected"]
    assert not Transaction.objects.filter(reverses__isnull=False).exists()


def test_a_request_is_decided_once(book: DeskBook, auditor: Client, approver: Client) -> None:
    asked = asked_reversal(book, user_of(auditor))
    approver.post(reverse("admin:ledger_adjustment_approve", args=[asked.pk]))
    answer = approver.post(reverse("admin:ledger_adjustment_reject", args=[asked.pk]), follow=True)
    assert "has been decided before" in shown(answer)
    asked.refresh_from_db()
    assert asked.state == "approved"


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_a_request_without_a_reason_is_not_made(book: DeskBook, auditor: Client, reason: str) -> None:
    answer = auditor.post(reverse("admin:ledger_transaction_request", args=[book.won]), {"reason": reason})
    assert answer.status_code == 422
    assert not Adjustment.objects.exists()


def test_a_second_request_for_the_same_transaction_says_that_one_waits(
    book: DeskBook, auditor: Client
) -> None:
    asked_reversal(book, user_of(auditor))
    assert "Ask for a reversal" not in look(auditor, "transaction_change", book.won)
    answer = auditor.post(reverse("admin:ledger_transaction_request", args=[book.won]), {"reason": "x"})
    assert answer.status_code == 422 and "already waiting for approval" in shown(answer)


def test_a_buy_in_has_nothing_to_reverse_and_the_page_says_so(book: DeskBook, auditor: Client) -> None:
    buy_in = Transaction.objects.get(kind="buy_in")
    text = look(auditor, "transaction_request", buy_in.pk)
    assert "chips only went between a member's wallet and seat" in text and "Reason" not in text


def test_nothing_is_decided_without_the_token_of_the_form(book: DeskBook, approver: Client) -> None:
    asked = asked_reversal(book, person("auditor", is_staff=True))
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user_of(approver))
    assert strict.post(reverse("admin:ledger_adjustment_approve", args=[asked.pk])).status_code == 403
    asked.refresh_from_db()
    assert asked.state == "requested"


# --- Seals and checks ---------------------------------------------------------------------------------------------
def test_a_seal_lists_its_transactions(book: DeskBook, auditor: Client) -> None:
    text = look(auditor, "seal_change", 1)
    for transaction in (book.issued, book.ante, book.won):
        assert str(transaction) in text
    assert "The next hundred" not in text
    assert "No transaction is in this seal" in look(auditor, "seal_change", 1, query="?from=100")
    assert rows(auditor, "seal", "?q=1") == ["1"]
    assert rows(auditor, "seal", "?q=x") == []


# --- Exports ------------------------------------------------------------------------------------------------------
@pytest.fixture
def export_folder(settings: Any, tmp_path: Path) -> Path:
    settings.LEDGER_EXPORT_DIR = tmp_path / "exports"
    return tmp_path / "exports"


@pytest.fixture
def worker(export_folder: Path) -> Any:
    """A worker that takes tasks at once."""
    before = current_app.conf.task_always_eager
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = before


def test_an_export_is_asked_for_made_and_downloaded(book: DeskBook, auditor: Client, worker: None) -> None:
    form = reverse("admin:ledger_export_add") + f"?format=csv&account={book.wallet}"
    assert f'value="{book.wallet}"' in auditor.get(form).content.decode()
    answer = auditor.post(form, {"format": "csv", "account": book.wallet, "member": "Mari"}, follow=True)
    result = ExportResult.objects.get()
    text = shown(answer)
    assert bytes(result.sha256 or b"").hex() in text and "Done." in text and "Mari Maasikas" in text
    download = auditor.get(reverse("admin:ledger_export_download", args=[result.pk]))
    assert download["Content-Length"] == str(result.size)
    assert download["Content-Disposition"] == f'attachment; filename="{result.file}"'
    assert "Ave Auditor" in look(auditor, "export_changelist")


def test_a_viewer_sees_exports_and_gets_no_file(book: DeskBook, auditor: Client, worker: None) -> None:
    auditor.post(reverse("admin:ledger_export_add"), {"format": "csv"})
    viewer = signed_in(person("viewer", is_staff=True))
    number = ExportResult.objects.get().pk
    assert "Who may export the book may download it." in look(viewer, "export_change", number)
    assert viewer.get(reverse("admin:ledger_export_download", args=[number])).status_code == 403


def test_a_waiting_export_is_asked_about_again_and_can_be_started_again(
    book: DeskBook, auditor: Client, export_folder: Path
) -> None:
    by = services.owner_of(user=user_of(auditor))
    from ledger.services.exported_postings import Wanted
    from ledger.services.exports import request_export

    asked = request_export(format="csv", wanted=Wanted(), by=by)
    page = auditor.get(reverse("admin:ledger_export_change", args=[asked.pk])).content.decode()
    fragment = reverse("admin:ledger_export_progress", args=[asked.pk])
    assert f'hx-get="{fragment}"' in page and "Waiting for a worker" in page
    before = current_app.conf.task_always_eager
    current_app.conf.task_always_eager = True
    try:
        auditor.post(reverse("admin:ledger_export_restart", args=[asked.pk]))
    finally:
        current_app.conf.task_always_eager = before
    part = auditor.get(fragment).content.decode()
    assert "Done." in part and "hx-get" not in part and "<html" not in part
    assert recorded_file(ExportResult.objects.get()).exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"format": "pdf"}, "Select a valid choice"),
        ({"format": "csv", "member": "nobody of this name"}, "0 members fit"),
        ({"format": "csv", "member": "m"}, "members fit. Write more of the name."),
        ({"format": "csv", "since": "2026-02-01", "until": "2026-01-01"}, "The first day is after the last."),
        ({"format": "csv", "account": "0"}, "greater than or equal to 1"),
        ({"format": "csv", "account": "99999999999999999999"}, "less than or equal to"),
        ({"format": "beancount", "kind": "ante"}, "is always whole"),
    ],
)
def test_an_export_that_cannot_be_made_is_refused_in_words(
    book: DeskBook, auditor: Client, worker: None, fields: dict[str, str], words: str
) -> None:
    services.owner_of(user=person("mihkel"))
    answer = auditor.post(reverse("admin:ledger_export_add"), fields)
    assert answer.status_code == 422 and words in shown(answer)
    assert not ExportResult.objects.exists()


def test_a_file_that_was_changed_is_not_downloaded(
    book: DeskBook, auditor: Client, worker: None, export_folder: Path
) -> None:
    auditor.post(reverse("admin:ledger_export_add"), {"format": "csv"})
    result = ExportResult.objects.get()
    (export_folder / result.file).write_text("something else")
    answer = auditor.get(reverse("admin:ledger_export_download", args=[result.pk]), follow=True)
    assert "is not the one that was recorded" in shown(answer)


# --- The front page -----------------------------------------------------------------------------------------------
def test_a_sound_book_shows_that_everything_is_in_order(book: DeskBook, auditor: Client) -> None:
    verify()
    text = look(auditor, "dashboard")
    assert "Sum of all balances 0 in every asset" in text
    assert "everything is sealed, up to seal 1" in text
    assert "in order, 0" in text
    assert "CHIPS: 1,000 in circulation" in text
    assert "Mari Maasikas +1,000 CHIPS" in text


def test_what_is_out_of_order_stands_out(book: DeskBook, auditor: Client, approver: Client) -> None:
    club = book.club
    asked = asked_reversal(book, user_of(auditor))
    approver.post(reverse("admin:ledger_adjustment_approve", args=[asked.pk]))
    services.request_adjustment(
        transaction_id=book.ante, requested_by=services.owner_of(user=user_of(auditor)), reason="x"
    )
    club.give(club.pot, 5)
    entry = services.open_account(kind="entry", ref="t", asset="CHIPS")
    services.hold(
        key="h", kind="entry", source="tournament/1", postings=[services.Entry(book.wallet, entry, 5)]
    )
    Verification.objects.create(
        scope="full",
        started_at=timezone.now(),
        transactions=9,
        passed=False,
        code="gap",
        detail="a line is missing",
    )
    text = look(auditor, "dashboard")
    assert "1 pot disagrees" in text and "table 1 5 0" in text
    assert "Suspense 30 CHIPS" in text
    assert "Open holds 5 CHIPS" in text and "tournament/1" in text
    assert "gap: a line is missing" in text
    assert "1 waits for a decision" in text
    assert re.search(r"\d transactions wait", text)


@pytest.mark.committed
def test_balances_that_do_not_add_up_to_nothing_are_told_first(book: DeskBook, auditor: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_account SET credits = credits + 7 WHERE id = %s", [book.wallet])
    page = auditor.get(reverse("admin:ledger_dashboard")).content.decode()
    assert re.search(r'<li class="bad"><a href="#trial"><b>Sum of all balances</b> CHIPS 7', page)


def test_an_empty_book_has_a_front_page(committed_database: object) -> None:
    client = signed_in(person("auditor", is_staff=True))
    text = look(client, "dashboard")
    assert "There are no chips yet" in text and "nothing to seal yet" in text and "never" in text


def test_the_chart_has_a_bar_for_every_day_and_the_same_numbers_in_a_table(
    book: DeskBook, auditor: Client
) -> None:
    page = auditor.get(reverse("admin:ledger_dashboard")).content.decode()
    assert page.count("<rect") == 30
    assert f"<title>{timezone.localdate().isoformat()}: 1,000</title>" in page
    assert re.search(
        rf'<th scope="row">{timezone.localdate().isoformat()}</th><td class="number">1,000</td>', page
    )


@pytest.mark.parametrize(
    ("number", "rounded"),
    [(1, 1), (2, 2), (3, 5), (6, 10), (10, 10), (11, 20), (999, 1000), (238_000, 500_000)],
)
def test_the_axis_ends_at_a_round_number(number: int, rounded: int) -> None:
    assert round_up(number) == rounded


def test_a_chart_of_nothing_is_no_chart() -> None:
    assert bars([]) is None
    assert bars([(timezone.localdate(), 0)]) is None


@pytest.mark.parametrize("query", ["?asset=NONE", "?days=0", "?days=x&asset=%00", "?asset=CHIPS&days=30"])
def test_a_garbled_address_of_the_front_page_shows_it_all_the_same(
    book: DeskBook, auditor: Client, query: str
) -> None:
    assert "CHIPS" in look(auditor, "dashboard", query=query)


# --- Questions a page asks ----------------------------------------------------------------------------------------
PAGES = {
    "dashboard": 28,
    "account_changelist": 10,
    "account_change": 14,
    "transaction_changelist": 14,
    "transaction_change": 24,
    "seal_changelist": 9,
    "seal_change": 7,
    "verification_changelist": 9,
    "creditline_changelist": 10,
    "adjustment_changelist": 10,
    "adjustment_change": 11,
    "export_changelist": 10,
    "asset_changelist": 9,
    "transaction_request": 9,
}
"""At most so many queries, session and rights included, however large the book is."""


def grow(book: DeskBook, auditor: User, n: int) -> None:
    """More of everything that lists show."""
    for k in range(n):
        member = person(f"member {k}")
        owner = services.owner_of(user=member)
        wallet = services.open_wallet(owner=owner, asset="CHIPS")
        by = services.owner_of(user=auditor)
        given = services.issue_chips(key=f"g{k}", wallet=wallet, amount=100, by=by, reference="x")
        services.post(key=f"m{k}", kind="move", source="x", postings=[services.Entry(wallet, book.wallet, 1)])
        services.set_credit_line(account=wallet, credit=k, by=owner, reason="x")
        services.request_adjustment(transaction_id=given.id, requested_by=owner, reason="x")
        if k % 5 == 0:
            seal_everything()


def test_no_page_asks_more_when_the_book_grows(book: DeskBook, auditor: Client) -> None:
    asked = asked_reversal(book, user_of(auditor))
    args: dict[str, list[int]] = {
        "account_change": [book.wallet],
        "transaction_change": [book.ante],
        "transaction_request": [book.ante],
        "seal_change": [1],
        "adjustment_change": [asked.pk],
    }

    def counted() -> dict[str, int]:
        found = {}
        for page in PAGES:
            with CaptureQueriesContext(connection) as queries:
                look(auditor, page, *args.get(page, []))
            found[page] = len(queries)
        return found

    counted()
    grow(book, user_of(auditor), 5)
    few = counted()
    grow_more = {name: number for name, number in few.items() if number > PAGES[name]}
    assert grow_more == {}
    for k in range(5, 40):
        owner = services.owner_of(user=person(f"member {k}"))
        wallet = services.open_wallet(owner=owner, asset="CHIPS")
        given = services.post(
            key=f"g{k}", kind="issue", source="x", postings=[services.Entry(book.club.mint, wallet, 9)]
        )
        services.post(key=f"m{k}", kind="move", source="x", postings=[services.Entry(wallet, book.wallet, 1)])
        services.set_credit_line(account=wallet, credit=k, by=owner, reason="x")
        services.request_adjustment(transaction_id=given.id, requested_by=owner, reason="x")
    seal_everything()
    many = counted()
    assert {page: many[page] for page in PAGES if many[page] > few[page]} == {}

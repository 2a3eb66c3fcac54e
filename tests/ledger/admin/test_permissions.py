"""Every page of the book for every kind of person: a page that is missing from the table fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client
from django.urls import reverse

from clubs.models import User
from ledger import urls as ledger_urls
from ledger.models import Asset, ClosedYear, CreditLine, Verification
from ledger.services import owner_of, set_credit_line
from ledger.services.verifying import verify
from tests.ledger.desk import asked_reversal, desk_book, everybody, finished_export

pytestmark = [pytest.mark.committed(role="site"), pytest.mark.usefixtures("plain_refusals")]

PEOPLE = ("anonymous", "member", "viewer", "auditor", "approver", "treasurer", "superuser")
IN, NO, OUT, GONE, WRONG, POST = 200, 403, 302, 404, 422, 405
"""Shown, refused, sent elsewhere, not there, filled in wrongly, only by POST."""

# Who gets what, in the order of PEOPLE. Whoever is not staff is sent from the admin to its sign-in. The request that is
# decided on is the auditor's own: the auditor may withdraw it, and neither approve it nor decide on others.
LOOK = (OUT, OUT, IN, IN, IN, IN, IN)
LOOK_POST = (OUT, OUT, POST, POST, POST, POST, POST)
CHECKED = (OUT,) * 7
NEVER = (OUT, OUT, NO, NO, NO, NO, NO)
ASKING = (OUT, OUT, NO, IN, NO, IN, IN)
ASKED = (OUT, OUT, NO, WRONG, NO, WRONG, WRONG)
DECIDING_GET = (OUT, OUT, NO, POST, POST, NO, POST)
APPROVING_GET = (OUT, OUT, NO, NO, POST, NO, POST)
APPROVED = (OUT, OUT, NO, NO, OUT, NO, OUT)
REJECTED = (OUT, OUT, NO, OUT, OUT, NO, OUT)
EXPORTING = (OUT, OUT, NO, IN, NO, IN, IN)
EXPORT_POST = (OUT, OUT, NO, POST, NO, POST, POST)
RESTARTED = (OUT, OUT, NO, GONE, NO, GONE, GONE)
EVERYBODY = (IN,) * 7
READER = (OUT, IN, IN, IN, IN, IN, IN)
TREASURER = (NO, NO, NO, NO, NO, IN, IN)
TREASURER_FORM = (NO, NO, NO, NO, NO, WRONG, WRONG)
ONLY_GET = (POST,) * 7
SIGNED_IN_ONLY_GET = (OUT, *ONLY_GET[1:])
TREASURER_ONLY_GET = (NO, NO, NO, NO, NO, POST, POST)

Rights = tuple[int, ...]


def of_model(name: str) -> dict[str, tuple[Rights, Rights]]:
    """The pages that every model of the admin has: (GET, POST). Nothing is added, changed or deleted."""
    return {
        f"admin:ledger_{name}_changelist": (LOOK, LOOK),
        f"admin:ledger_{name}_add": (NEVER, NEVER),
        f"admin:ledger_{name}_history": (LOOK, LOOK),
        f"admin:ledger_{name}_delete": (NEVER, NEVER),
        f"admin:ledger_{name}_change": (LOOK, NEVER),
    }


MODELS = (
    *("asset", "account", "transaction", "seal", "verification", "creditline", "adjustment", "export"),
    "closedyear",
)
TABLE: dict[str, tuple[Rights, Rights]] = {
    **{page: rights for model in MODELS for page, rights in of_model(model).items()},
    "admin:ledger_dashboard": (LOOK, (OUT, OUT, POST, POST, POST, POST, POST)),
    "admin:ledger_verification_check": (LOOK_POST, CHECKED),
    "admin:ledger_transaction_request": (ASKING, ASKED),
    "admin:ledger_adjustment_approve": (APPROVING_GET, APPROVED),
    "admin:ledger_adjustment_reject": (DECIDING_GET, REJECTED),
    "admin:ledger_export_add": (EXPORTING, ASKED),
    "admin:ledger_export_progress": (LOOK, NEVER),
    "admin:ledger_export_restart": (EXPORT_POST, RESTARTED),
    "admin:ledger_export_download": (EXPORTING, NEVER),
    # Nobody closed this year, so that its file is gone: whoever may fetch it is sent back and told so.
    "admin:ledger_closedyear_download": ((OUT, OUT, NO, OUT, NO, OUT, OUT), NEVER),
    "ledger:own_chips": (READER, SIGNED_IN_ONLY_GET),
    "ledger:statement": (READER, SIGNED_IN_ONLY_GET),
    "ledger:statement_csv": (READER, SIGNED_IN_ONLY_GET),
    "ledger:transaction": (READER, SIGNED_IN_ONLY_GET),
    "ledger:receipt": (READER, SIGNED_IN_ONLY_GET),
    "ledger:heads": (EVERYBODY, ONLY_GET),
    "ledger:check": (EVERYBODY, ONLY_GET),
    "ledger:desk": (TREASURER, TREASURER_ONLY_GET),
    "ledger:act": (TREASURER, TREASURER_FORM),
}


def pages_there_are() -> set[str]:
    """Every named address of the ledger, in the admin and on the site."""
    of_admin: list[Any] = [
        inner
        for outer in admin.site.get_urls()
        for inner in (outer.url_patterns if hasattr(outer, "url_patterns") else [outer])
    ]
    named = {pattern.name for pattern in of_admin if pattern.name}
    of_site = {pattern.name for pattern in ledger_urls.urlpatterns}
    return {f"admin:{name}" for name in named if "ledger" in name} | {f"ledger:{name}" for name in of_site}


def test_every_page_has_a_line_in_the_table() -> None:
    assert pages_there_are() == set(TABLE)


def addresses(people: dict[str, User | None]) -> dict[str, str]:
    """The address of every page of the table, for the member's own book."""
    member, auditor = people["member"], people["auditor"]
    assert member is not None and auditor is not None
    book = desk_book(member)
    verify(steps="a")
    set_credit_line(account=book.wallet, credit=5, by=owner_of(user=auditor), reason="a friend")
    asked = asked_reversal(book, auditor)
    export = finished_export(auditor)
    objects: dict[str, Any] = {
        "asset": Asset.objects.get().pk,
        "account": book.wallet,
        "transaction": book.ante,
        "seal": 1,
        "verification": Verification.objects.get().pk,
        "creditline": CreditLine.objects.get().pk,
        "adjustment": asked.pk,
        "export": export.pk,
        "closedyear": ClosedYear.objects.create(
            club_id=1,
            year=2020,
            last_seal=1,
            transactions=1,
            postings=1,
            size=1,
            sha256=b"x" * 32,
            file="gone",
            closed_by=owner_of(user=auditor),
        ).pk,
        "statement": book.wallet,
        "statement_csv": book.wallet,
        "receipt": book.won,
        "act": "issue",
    }

    def arguments(page: str) -> list[Any]:
        site, name = page.split(":")
        if site == "ledger":
            return [objects[name]] if name in objects else []
        model, _, what = name.removeprefix("ledger_").partition("_")
        return [] if what in ("", "changelist", "add", "check") else [objects[model]]

    return {page: reverse(page, args=arguments(page)) for page in TABLE}


def answers(user: User | None, pages: dict[str, str], method: str) -> dict[str, int]:
    """What a person gets on each page; whatever a request has written is rolled back."""
    client = Client(raise_request_exception=True)
    if user is not None:
        client.force_login(user)
    found = {}
    for page, address in pages.items():
        with transaction.atomic():
            found[page] = getattr(client, method)(address).status_code
            transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("name", PEOPLE)
def test_everybody_gets_what_the_table_says(name: str, settings: Any, tmp_path: Path) -> None:
    settings.LEDGER_EXPORT_DIR = tmp_path / "exports"
    people = everybody()
    pages = addresses(people)
    place = PEOPLE.index(name)
    for number, method in enumerate(("get", "post")):
        expected = {page: rights[number][place] for page, rights in TABLE.items()}
        assert answers(people[name], pages, method) == expected, method


def test_a_group_alone_opens_no_door_of_the_admin() -> None:
    """Who enters the admin is decided with the staff mark; a group says what is shown there."""
    people = everybody()
    pages = addresses(people)
    approver = people["approver"]
    assert approver is not None
    User.objects.filter(pk=approver.pk).update(is_staff=False)
    given = answers(approver, pages, "get")
    assert {given[page] for page in pages if page.startswith("admin:")} == {OUT}


def test_a_guest_reads_nothing_of_the_book() -> None:
    pages = addresses(everybody())
    guest = User.objects.create_user(username="guest", is_guest=True)
    given = answers(guest, pages, "get")
    assert given["ledger:own_chips"] == IN
    for page in ("statement", "statement_csv", "transaction", "receipt"):
        assert given[f"ledger:{page}"] == GONE


def test_another_member_finds_no_statement_and_no_receipt_of_mine() -> None:
    pages = addresses(everybody())
    given = answers(User.objects.create_user(username="other"), pages, "get")
    assert {given[f"ledger:{page}"] for page in ("statement", "statement_csv", "transaction", "receipt")} == {
        GONE
    }

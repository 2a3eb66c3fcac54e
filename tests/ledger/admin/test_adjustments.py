"""Reversals at the audit desk: asked for by one, decided by another."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from clubs.models import User
from ledger import services
from ledger.models import Adjustment, Transaction
from ledger.services.verifying import verify
from tests.ledger.admin.pages import look, shown, signed_in, user_of
from tests.ledger.books import seal_everything
from tests.ledger.desk import DeskBook, asked_reversal, desk_filled, person

pytestmark = pytest.mark.committed(role="site", filled=desk_filled)


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


def test_a_request_without_a_reason_is_not_made(book: DeskBook, auditor: Client) -> None:
    address = reverse("admin:ledger_transaction_request", args=[book.won])
    for reason in ("", "   ", "x" * 501):
        assert auditor.post(address, {"reason": reason}).status_code == 422, reason
        assert not Adjustment.objects.exists(), reason


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
    assert "chips only went between a member’s wallet and seat" in text and "Reason" not in text


def test_nothing_is_decided_without_the_token_of_the_form(book: DeskBook, approver: Client) -> None:
    asked = asked_reversal(book, person("auditor", is_staff=True))
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user_of(approver))
    assert strict.post(reverse("admin:ledger_adjustment_approve", args=[asked.pk])).status_code == 403
    asked.refresh_from_db()
    assert asked.state == "requested"

"""The audit desk's front page: what is in order, what is not, and what moved."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from ledger import services
from ledger.charts import bars, round_up
from ledger.models import Verification
from ledger.services.verifying import verify
from tests.ledger.admin.pages import look, signed_in, user_of
from tests.ledger.desk import DeskBook, asked_reversal, desk_filled, person

pytestmark = pytest.mark.committed(role="site", filled=desk_filled)


def test_a_sound_book_shows_that_everything_is_in_order(book: DeskBook, auditor: Client) -> None:
    verify()
    text = look(auditor, "dashboard")
    assert "Sum of all balances 0 for every kind of chips" in text
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


@pytest.mark.committed(filled=desk_filled)
def test_balances_that_do_not_add_up_to_nothing_are_told_first(book: DeskBook, auditor: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_account SET credits = credits + 7 WHERE id = %s", [book.wallet])
    page = auditor.get(reverse("admin:ledger_dashboard")).content.decode()
    assert re.search(r'<li class="bad"><a href="#trial"><b>Sum of all balances</b> CHIPS 7', page)


@pytest.mark.committed(role="site")
def test_an_empty_book_has_a_front_page(committed_database: object) -> None:
    client = signed_in(person("auditor", is_staff=True))
    text = look(client, "dashboard")
    assert "There are no chips yet" in text and "nothing to seal yet" in text and "never" in text


def test_the_chart_has_a_bar_for_every_day_and_the_same_numbers_in_a_table(
    book: DeskBook, auditor: Client
) -> None:
    page = auditor.get(reverse("admin:ledger_dashboard")).content.decode()
    assert page.count("<rect") == 30
    today = date_format(timezone.localdate(), "SHORT_DATE_FORMAT")
    assert f"<title>{today}: 1,000</title>" in page
    assert f'<th scope="row">{today}</th><td class="number">1,000</td>' in page


ROUNDED = {1: 1, 2: 2, 3: 5, 6: 10, 10: 10, 11: 20, 999: 1000, 238_000: 500_000}


def test_the_axis_ends_at_a_round_number() -> None:
    assert {number: round_up(number) for number in ROUNDED} == ROUNDED


def test_a_chart_of_nothing_is_no_chart() -> None:
    assert bars([]) is None
    assert bars([(timezone.localdate(), 0)]) is None


def test_a_garbled_address_of_the_front_page_shows_it_all_the_same(book: DeskBook, auditor: Client) -> None:
    for query in ("?asset=NONE", "?days=0", "?days=x&asset=%00", "?asset=CHIPS&days=30"):
        assert "CHIPS" in look(auditor, "dashboard", query=query), query


def test_days_below_nothing_hang_from_the_line_of_nothing() -> None:
    today = timezone.localdate()
    chart = bars([(today, 150), (today, -20)])
    assert chart is not None and (chart.top, chart.bottom) == (200, -20)
    above, below = chart.bars
    assert above.y + above.height == pytest.approx(chart.base, abs=0.02)
    assert below.y == pytest.approx(chart.base, abs=0.02)
    assert below.y + below.height == pytest.approx(chart.height, abs=0.02)

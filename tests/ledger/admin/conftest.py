"""A small book and the people of the desk who look at it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.ledger.admin.pages import signed_in
from tests.ledger.desk import DeskBook, desk_book, person


@pytest.fixture
def book(committed_database: object) -> DeskBook:
    return desk_book(person("mari", display_name="Mari Maasikas"))


@pytest.fixture
def auditor(book: DeskBook) -> Client:
    return signed_in(person("auditor", is_staff=True, display_name="Ave Auditor"))


@pytest.fixture
def approver(book: DeskBook) -> Client:
    return signed_in(person("approver", is_staff=True, display_name="Aime Approver"))

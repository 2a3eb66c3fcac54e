"""A small book and the people of the desk who look at it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.conftest import Filled
from tests.ledger.admin.pages import signed_in
from tests.ledger.books import own_copy
from tests.ledger.desk import DeskBook, person


@pytest.fixture
def book(filled: Filled, proof_files: Path) -> DeskBook:
    made: DeskBook = own_copy(filled, proof_files)
    return made


@pytest.fixture
def auditor(book: DeskBook) -> Client:
    return signed_in(person("auditor", is_staff=True, display_name="Ave Auditor"))


@pytest.fixture
def approver(book: DeskBook) -> Client:
    return signed_in(person("approver", is_staff=True, display_name="Aime Approver"))

"""Who stands at the desk of an event, for all tests of its pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from clubs.models import User
from tests.tournaments.events import organiser


@pytest.fixture
def olga(db: None) -> User:
    """A member who may organise."""
    return organiser("olga")


@pytest.fixture
def desk(client: Client, olga: User) -> Client:
    """A browser in which the organiser is signed in."""
    client.force_login(olga)
    return client


@pytest.fixture
def own_heads(settings: Any, tmp_path: Path) -> None:
    """Heads that earlier runs published belong to other books."""
    settings.LEDGER_HEADS_FILE = tmp_path / "heads.jsonl"

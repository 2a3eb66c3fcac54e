"""Files of the proofs, apart for every test: nothing of a test gets into ``var/``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def proof_files(settings: Any, tmp_path: Path) -> Path:
    """The folder in which this test's signing key and heads lie."""
    settings.LEDGER_KEY_DIR = tmp_path / "keys"
    settings.LEDGER_SIGNING_KEY = ""
    settings.LEDGER_HEADS_FILE = tmp_path / "heads.jsonl"
    return tmp_path

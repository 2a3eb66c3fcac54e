"""Exports at the audit desk: asked for, waited for, fetched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.test import Client
from django.urls import reverse

from ledger import services
from ledger.models import ExportResult
from ledger.services.exports import recorded_file
from tests.ledger.admin.pages import look, shown, signed_in, user_of
from tests.ledger.desk import DeskBook, desk_filled, person

pytestmark = pytest.mark.committed(role="site", filled=desk_filled)


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


REFUSED: tuple[tuple[dict[str, str], str], ...] = (
    ({"format": "pdf"}, "Select a valid choice"),
    ({"format": "csv", "member": "nobody of this name"}, "Nobody by that name."),
    ({"format": "csv", "member": "m"}, "members fit. Write more of the name."),
    ({"format": "csv", "since": "2026-02-01", "until": "2026-01-01"}, "The first day is after the last."),
    ({"format": "csv", "account": "0"}, "greater than or equal to 1"),
    ({"format": "csv", "account": "99999999999999999999"}, "less than or equal to"),
    ({"format": "beancount", "kind": "ante"}, "is always whole"),
)


def test_an_export_that_cannot_be_made_is_refused_in_words(
    book: DeskBook, auditor: Client, worker: None
) -> None:
    services.owner_of(user=person("mihkel"))
    for fields, words in REFUSED:
        answer = auditor.post(reverse("admin:ledger_export_add"), fields)
        assert answer.status_code == 422 and words in shown(answer), fields
        assert not ExportResult.objects.exists(), fields


def test_a_file_that_was_changed_is_not_downloaded(
    book: DeskBook, auditor: Client, worker: None, export_folder: Path
) -> None:
    auditor.post(reverse("admin:ledger_export_add"), {"format": "csv"})
    result = ExportResult.objects.get()
    (export_folder / result.file).write_text("something else")
    answer = auditor.get(reverse("admin:ledger_export_download", args=[result.pk]), follow=True)
    assert "is not the one that was recorded" in shown(answer)

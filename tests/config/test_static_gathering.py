"""Static files are gathered when one of them changed, and only then."""

from __future__ import annotations

import json

import pytest

from config.static_gathering import gather


@pytest.fixture
def folder(settings, tmp_path):
    settings.STATIC_ROOT = str(tmp_path / "gathered")
    settings.STATICFILES_DIRS = [str(tmp_path / "source")]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    manifest = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": manifest}
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "site.css").write_text("body { margin: 0 }")
    return tmp_path


def hashed_name(folder):
    manifest = json.loads((folder / "gathered" / "staticfiles.json").read_text())
    return manifest["paths"]["site.css"]


def test_they_are_gathered_once_and_again_after_a_change(folder):
    assert gather() is True
    before = hashed_name(folder)
    assert (folder / "gathered" / before).read_text() == "body { margin: 0 }"
    assert gather() is False

    (folder / "source" / "site.css").write_text("body { margin: 1px }")
    assert gather() is True
    assert hashed_name(folder) != before
    assert not (folder / "gathered" / before).exists()


def test_a_file_that_went_away_is_noticed(folder):
    (folder / "source" / "other.css").touch()
    gather()
    (folder / "source" / "other.css").unlink()
    assert gather() is True
    assert not (folder / "gathered" / "other.css").exists()


def test_an_interrupted_gathering_is_done_again(folder):
    gather()
    (folder / "gathered" / ".gathered").unlink()
    assert gather() is True

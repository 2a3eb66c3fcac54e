"""Static files are gathered when one of them changed, and only then."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from config.static_gathering import gather


@pytest.fixture
def folder(settings, tmp_path):
    settings.STATIC_ROOT = str(tmp_path / "gathered")
    settings.STATICFILES_DIRS = [str(tmp_path / "source")]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    manifest = {"BACKEND": "config.static_storage.HashedFiles"}
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


def test_modules_imported_each_other_by_names_that_no_browser_may_keep(folder, settings):
    """Every import of a gathered module has a hash in its name, and that file is there."""
    source = Path(settings.BASE_DIR) / "static"
    for path in source.rglob("*.js"):
        name = folder / "source" / path.relative_to(source)
        name.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, name)
    gather()
    paths = json.loads((folder / "gathered" / "staticfiles.json").read_text())["paths"]
    imported = {}
    for name in paths.values():
        module = folder / "gathered" / name
        for other in re.findall(
            r'^(?:import|export)\b[^;"]*"(\.[^"]+\.js)"', module.read_text(), re.MULTILINE
        ):
            imported[f"{name} -> {other}"] = (module.parent / other).resolve()
    assert len(imported) > 50
    assert [each for each, path in imported.items() if not path.exists()] == []
    assert [each for each in imported if not re.search(r"\.[0-9a-f]{12}\.js$", each)] == []


def test_a_page_names_all_modules_that_its_own_imports(folder, settings):
    from config.module_links import closure

    games = folder / "source" / "games"
    games.mkdir()
    (games / "a.js").write_text('import { b } from "./b.js";\nimport "../other/c.js";\n')
    (games / "b.js").write_text('export { d } from "./d.js";\nimport * as c from "../other/c.js";\n')
    (games / "d.js").write_text('// no import of "./e.js"\n')
    (folder / "source" / "other").mkdir()
    (folder / "source" / "other" / "c.js").touch()
    closure.cache_clear()
    assert closure("games/a.js") == ("games/a.js", "games/b.js", "games/d.js", "other/c.js")
    with pytest.raises(LookupError):
        closure("games/none.js")


def test_faces_that_a_module_draws_have_names_that_browsers_keep(folder, settings):
    """Under plain names a browser asked for some fifty faces again with every page of a table."""
    from config.card_faces import DECKS, NAMES, card_faces

    source = Path(settings.BASE_DIR) / "static" / "cards"
    assert {f"{path.relative_to(source).with_suffix('')}" for path in source.rglob("*.svg")} == set(NAMES)
    for deck in DECKS:
        (folder / "source" / "cards" / deck).mkdir(parents=True)
    for name in NAMES:
        (folder / "source" / "cards" / f"{name}.svg").write_text(name)
    gather()
    card_faces.cache_clear()
    try:
        faces = json.loads(re.sub(r"<[^>]*>", "", str(card_faces())))
    finally:
        card_faces.cache_clear()
    assert len(faces) == 4 * 52 + 1
    assert [
        each for each in faces.values() if not re.fullmatch(r"/static/cards/.*\.[0-9a-f]{12}\.svg", each)
    ] == []

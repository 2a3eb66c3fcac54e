"""The file of a backup: what goes in comes out, and no change of it goes unnoticed."""

from __future__ import annotations

import io
import os
import random
import tarfile
from pathlib import Path

import pytest

from config.backup import archive, passphrases, sealed
from config.backup.sealed import HEADER, PIECE, TAG, SealedReader, SealedWriter
from config.trouble import Trouble

PASSPHRASE = "a long enough passphrase"
THINGS = {
    "database.dump": random.Random(1).randbytes(archive.PART + 12345),
    "heads.jsonl": b"",
    "keys/signing_key": b"00" * 32,
    "exports/2/a file": b"x" * archive.PART,
}


def sealed_bytes(content: bytes, passphrase: str = PASSPHRASE) -> bytes:
    out = io.BytesIO()
    with SealedWriter(out, passphrase) as writer:
        for start in range(0, len(content), 70_000):
            writer.write(content[start : start + 70_000])
    return out.getvalue()


def opened(text: bytes, passphrase: str = PASSPHRASE) -> bytes:
    return io.BufferedReader(SealedReader(io.BytesIO(text), passphrase)).read()


@pytest.mark.parametrize("length", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_what_is_sealed_is_opened(length):
    content = random.Random(length).randbytes(length)
    text = sealed_bytes(content)
    assert opened(text) == content
    assert len(text) == HEADER.size + length + TAG * max(1, -(-length // PIECE))


def test_the_same_content_is_never_sealed_alike():
    assert sealed_bytes(b"the same")[HEADER.size :] != sealed_bytes(b"the same")[HEADER.size :]


def pieces(text: bytes) -> list[bytes]:
    body, size = text[HEADER.size :], PIECE + TAG
    return [body[start : start + size] for start in range(0, len(body), size)]


def flipped(text: bytes, at: int) -> bytes:
    return text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: flipped(text, len(text) - 1),
        lambda text: flipped(text, HEADER.size),
        lambda text: flipped(text, HEADER.size - 1),
        lambda text: text[: HEADER.size + PIECE + TAG],
        lambda text: text[:-1],
        lambda text: text[: HEADER.size],
        lambda text: text[: HEADER.size] + b"".join(pieces(text)[1:]),
        lambda text: text[: HEADER.size] + b"".join(reversed(pieces(text)[:2])) + pieces(text)[2],
        lambda text: text + pieces(text)[-1],
        lambda text: (
            text[: HEADER.size] + pieces(sealed_bytes(bytes(2 * PIECE + 9)))[0] + b"".join(pieces(text)[1:])
        ),
    ],
    ids=[
        "last bit",
        "first bit",
        "header",
        "cut at a piece",
        "cut",
        "empty",
        "piece lost",
        "swapped",
        "doubled",
        "foreign",
    ],
)
def test_a_sealed_file_that_was_touched_is_not_opened(spoil):
    text = sealed_bytes(bytes(2 * PIECE + 9))
    with pytest.raises(Trouble, match="cut off or changed"):
        opened(spoil(text))


def test_another_passphrase_opens_nothing():
    with pytest.raises(Trouble, match="passphrase"):
        opened(sealed_bytes(b"content"), "another long passphrase")


# --- The archive --------------------------------------------------------------------------------------------------
def written(path: Path, passphrase: str = "") -> dict:
    with archive.writing(path, passphrase) as out:
        for name, content in THINGS.items():
            out.add(name, io.BytesIO(content))
        return out.finish({"made_at": "now"})


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE])
def test_everything_comes_back_for_its_owner_alone(tmp_path, passphrase):
    path = tmp_path / "backup"
    manifest = written(path, passphrase)
    assert path.stat().st_mode & 0o077 == 0 and list(tmp_path.iterdir()) == [path]
    assert (b"made_at" in path.read_bytes()) is (not passphrase)
    assert archive.unpack(path, passphrase, tmp_path / "out") == manifest
    for name, content in THINGS.items():
        place = tmp_path / "out" / name
        assert place.read_bytes() == content and place.stat().st_mode & 0o077 == 0
    assert manifest["kept"]["database.dump"]["parts"] == 2


def test_a_backup_that_could_not_be_finished_leaves_nothing(tmp_path):
    with pytest.raises(RuntimeError), archive.writing(tmp_path / "backup", PASSPHRASE) as out:
        out.add("database.dump", io.BytesIO(b"half"))
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def rewritten(path: Path, change) -> None:
    """Write the tar anew with its members changed: `change` gets and returns name and content, or None."""
    with tarfile.open(path) as old:
        members = [(m.name, old.extractfile(m).read()) for m in old]
    with tarfile.open(path, "w") as new:
        for name, content in filter(None, (change(*member) for member in members)):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            new.addfile(info, io.BytesIO(content))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda n, c: (n, b"another key") if "signing_key" in n else (n, c), "keys/signing_key is not what"),
        (lambda n, c: None if "signing_key" in n else (n, c), "keys/signing_key is not what"),
        (lambda n, c: None if n == "database.dump/000001" else (n, c), "database.dump is not what"),
        (lambda n, c: None if n == "manifest.json" else (n, c), "ends before its manifest"),
        (lambda n, c: ("../out/" + n, c) if "key" in n else (n, c), "a place outside of itself"),
        (lambda n, c: ("/tmp/" + n, c) if "key" in n else (n, c), "a place outside of itself"),
        (lambda n, c: (n, c.replace(b'"format": 1', b'"format": 9')), "has format 9"),
    ],
)
def test_a_backup_that_was_touched_is_refused(tmp_path, change, said):
    path = tmp_path / "backup"
    written(path)
    rewritten(path, change)
    with pytest.raises(Trouble, match=said):
        archive.unpack(path, "", tmp_path / "out")
    assert not (tmp_path / "keys").exists()


def test_what_is_no_backup_is_refused_in_one_sentence(tmp_path):
    path = tmp_path / "backup"
    path.write_bytes(os.urandom(20_000))
    with pytest.raises(Trouble, match="is no backup of this site"):
        archive.unpack(path, "", tmp_path / "out")
    written(path, PASSPHRASE)
    with pytest.raises(Trouble, match="give its passphrase"):
        archive.unpack(path, "", tmp_path / "out")


# --- Passphrases --------------------------------------------------------------------------------------------------
def test_a_passphrase_comes_from_a_file_or_the_environment_and_is_not_short(tmp_path, monkeypatch):
    monkeypatch.delenv(passphrases.VARIABLE, raising=False)
    assert passphrases.given(None) == ""
    monkeypatch.setenv(passphrases.VARIABLE, PASSPHRASE)
    assert passphrases.given(None) == PASSPHRASE
    file = tmp_path / "passphrase"
    file.write_text("of the first line\nnot this\n")
    assert passphrases.given(file) == "of the first line"
    file.write_text("short\n")
    with pytest.raises(Trouble, match="5 characters: take at least 12"):
        passphrases.given(file)
    with pytest.raises(Trouble, match="cannot be read"):
        passphrases.given(tmp_path / "nowhere")


def test_a_sealed_file_says_what_it_is():
    assert sealed.is_sealed(sealed_bytes(b"")) and not sealed.is_sealed(b"PK")

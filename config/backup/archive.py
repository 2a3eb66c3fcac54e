"""A backup as one file: a tar of parts, the manifest with everybody's hash last.

Each thing that is kept (`database.dump`, `heads.jsonl`, `keys/signing_key`, ...) is cut into parts of at most 8 MiB,
named `NAME/000000` and so on: how long a dump will be is not known when it begins, and so it never lies on the disk as
a whole and unsealed. `tar` can read it, for somebody who has only the file.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

from config.backup.sealed import SealedReader, SealedWriter, is_sealed
from config.trouble import Trouble

PART = 8 << 20
MANIFEST = "manifest.json"
FORMAT = 1


class Writer:
    """An archive that is being written."""

    def __init__(self, out: IO[bytes]) -> None:
        # A stream that nobody seeks in; what was not finished is thrown away.
        self._tar = tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115
        self._kept: dict[str, dict[str, Any]] = {}

    def add(self, name: str, source: IO[bytes]) -> None:
        """Keep everything that `source` has, as `name`."""
        digest, size, number = hashlib.sha256(), 0, 0
        while (part := _read_whole(source, PART)) or not number:
            self._put(f"{name}/{number:06}", part)
            digest.update(part)
            size += len(part)
            number += 1
        self._kept[name] = {"bytes": size, "sha256": digest.hexdigest(), "parts": number}

    def finish(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Write the manifest, `facts` and the hashes, and return it; nothing may be added after it."""
        manifest = {"format": FORMAT, **facts, "kept": self._kept}
        self._put(MANIFEST, json.dumps(manifest, indent=2).encode())
        return manifest

    def close(self) -> None:
        """End the tar."""
        self._tar.close()

    def _put(self, name: str, content: bytes) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode, member.mtime = len(content), 0o600, int(time.time())
        self._tar.addfile(member, io.BytesIO(content))


def _perhaps_sealed(out: IO[bytes], passphrase: str) -> AbstractContextManager[IO[bytes]]:
    return SealedWriter(out, passphrase) if passphrase else nullcontext(out)  # type: ignore[return-value]


def _read_whole(source: IO[bytes], size: int) -> bytes:
    """Read `size` bytes, fewer only at the end: a pipe gives what it has."""
    read = bytearray()
    while len(read) < size and (more := source.read(size - len(read))):
        read += more
    return bytes(read)


@contextmanager
def writing(path: Path, passphrase: str) -> Iterator[Writer]:
    """Write an archive to `path`, sealed when there is a passphrase; it appears under its name when it is whole."""
    draft = path.with_name(f".{path.name}.unfinished")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    try:
        with (
            draft.open("wb") as out,
            _perhaps_sealed(out, passphrase) as inner,
            closing(Writer(inner)) as archive,
        ):
            yield archive
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _opened(path: Path, passphrase: str) -> Iterator[tarfile.TarFile]:
    with path.open("rb") as source:
        sealed = is_sealed(source.read(64))
        source.seek(0)
        if sealed and not passphrase:
            raise Trouble(f"{path} is sealed: give its passphrase with --passphrase-file.")
        content: IO[bytes] = source
        if sealed:
            content = io.BufferedReader(SealedReader(source, passphrase), 1 << 20)
        try:
            with tarfile.open(fileobj=content, mode="r|") as tar:
                yield tar
        except tarfile.TarError:
            raise Trouble(f"{path} is no backup of this site, or not all of one.") from None


def unpack(path: Path, passphrase: str, folder: Path) -> dict[str, Any]:
    """Write everything that the archive keeps below `folder`, checked against its manifest, which is returned.

    Raises Trouble for a file that is no whole backup, and for a wrong passphrase."""
    digests: dict[str, Any] = {}
    counts: dict[str, list[int]] = {}
    manifest: dict[str, Any] | None = None
    with _opened(path, passphrase) as tar:
        for member in tar:
            content = tar.extractfile(member)
            if content is None or manifest is not None:
                raise Trouble(f"{path} holds what no backup does: {member.name}.")
            if member.name == MANIFEST:
                manifest = json.load(content)
                continue
            name = _safe(member.name.rpartition("/")[0])
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            part = content.read()
            with place.open("ab") as out:
                out.write(part)
            place.chmod(0o600)
            digests.setdefault(name, hashlib.sha256()).update(part)
            counts.setdefault(name, []).append(len(part))
    if manifest is None:
        raise Trouble(f"{path} ends before its manifest: it is not all of a backup.")
    _compare(manifest, digests, counts)
    return manifest


def _safe(name: str) -> str:
    """Return `name`, which must stay below the folder that it is unpacked into."""
    if not name or name.startswith("/") or ".." in Path(name).parts:
        raise Trouble(f"The backup names a place outside of itself: {name!r}.")
    return name


def _compare(manifest: dict[str, Any], digests: dict[str, Any], counts: dict[str, list[int]]) -> None:
    if manifest.get("format") != FORMAT:
        raise Trouble(
            f"The backup has format {manifest.get('format')}: this version of the site reads {FORMAT}."
        )
    found = {
        name: {"bytes": sum(counts[name]), "sha256": digest.hexdigest(), "parts": len(counts[name])}
        for name, digest in digests.items()
    }
    if found != manifest["kept"]:
        wrong = sorted(
            name for name in found.keys() | manifest["kept"] if found.get(name) != manifest["kept"].get(name)
        )
        raise Trouble(f"The backup is damaged: {', '.join(wrong[:3])} is not what its manifest says.")

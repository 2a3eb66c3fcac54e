"""Files that are written piece by piece and count only once they are whole."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path
from types import TracebackType

CHUNK = 1 << 20


class Draft:
    """A file that is being written, with its size and SHA-256 worked out on the way.

    Use it as a context manager: what was not kept at the end is deleted. ``keep``
    gives it its name, which carries its hash; then ``name`` and ``digest`` are set.
    Drafts of the same stem that somebody left behind are cleared away first.
    """

    def __init__(self, folder: Path, stem: str) -> None:
        for left in folder.glob(f"{stem}.*.part"):
            left.unlink(missing_ok=True)
        self.name = ""
        self.digest = b""
        self.size = 0
        self._folder = folder
        self._stem = stem
        self._path = folder / f"{stem}.{secrets.token_hex(4)}.part"
        self._hash = hashlib.sha256()
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(descriptor, "wb")

    def write(self, written: str | bytes, /) -> int:
        """Add bytes, or text as UTF-8."""
        data = written.encode() if isinstance(written, str) else written
        self._hash.update(data)
        self.size += len(data)
        return self._file.write(data)

    def flush(self) -> None:
        """Hand on what was written so far: whoever packs into the draft asks for it."""
        self._file.flush()

    def keep(self, suffix: str) -> None:
        """See the file safely on disk, under its name."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self.digest = self._hash.digest()
        self.name = f"{self._stem}-{self.digest.hex()[:12]}.{suffix}"
        self._path.replace(self._folder / self.name)
        for changed in (self._folder, self._folder.parent):
            _sync_folder(changed)

    def __enter__(self) -> Draft:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """See the names in a folder safely on disk: without them a synced file is lost all the same."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_of(path: Path) -> bytes:
    """The SHA-256 of a file, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.digest()

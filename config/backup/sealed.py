"""A file that nobody reads or changes without the passphrase: written and read as a stream, whatever its length.

The key is scrypt of the passphrase and a salt of the file. The content is cut into pieces of 1 MiB, each under
AES-256-GCM with a nonce of its own: 7 random bytes of the file, the number of the piece, and whether it is the last.
So no piece can be changed, left out, moved or put into another file, and a file that was cut off is noticed. The
header is authenticated with every piece.
"""

from __future__ import annotations

import io
import secrets
import struct
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from config.trouble import Trouble

MAGIC = b"card-club sealed file 1\n"
PIECE, TAG = 1 << 20, 16
# About 0.1 s and 64 MiB a try for whoever guesses.
COST, BLOCK, PARALLEL = 1 << 16, 8, 1
HEADER = struct.Struct(f">{len(MAGIC)}sIII16s7s")
DAMAGED = "The file was cut off or changed, or the passphrase is another one."


def is_sealed(start: bytes) -> bool:
    """Return whether a file that begins with `start` is a sealed one."""
    return start.startswith(MAGIC)


def _cipher(passphrase: str, header: bytes) -> tuple[AESGCM, bytes]:
    _magic, cost, block, parallel, salt, prefix = HEADER.unpack(header)
    if (cost, block, parallel) != (COST, BLOCK, PARALLEL):
        raise Trouble("The file was sealed by another version of the site: restore it with that one.")
    key = Scrypt(salt=salt, length=32, n=cost, r=block, p=parallel).derive(passphrase.encode())
    return AESGCM(key), prefix


class SealedWriter(io.RawIOBase):
    """What is written goes sealed into `out`; `close` writes the last piece and leaves `out` open."""

    def __init__(self, out: IO[bytes], passphrase: str) -> None:
        self._out = out
        self._header = HEADER.pack(
            MAGIC, COST, BLOCK, PARALLEL, secrets.token_bytes(16), secrets.token_bytes(7)
        )
        self._cipher, self._prefix = _cipher(passphrase, self._header)
        self._waiting = bytearray()
        self._number = 0
        out.write(self._header)

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, data: object) -> int:
        """Take `data`; whole pieces go out at once, the last one stays until `close`."""
        taken = bytes(data)  # type: ignore[call-overload]
        self._waiting += taken
        while len(self._waiting) > PIECE:
            self._put(bytes(self._waiting[:PIECE]), last=False)
            del self._waiting[:PIECE]
        return len(taken)

    def close(self) -> None:
        """Write the last piece."""
        if not self.closed:
            self._put(bytes(self._waiting), last=True)
        super().close()

    def _put(self, piece: bytes, *, last: bool) -> None:
        nonce = self._prefix + struct.pack(">I?", self._number, last)
        self._out.write(self._cipher.encrypt(nonce, piece, self._header))
        self._number += 1


class SealedReader(io.RawIOBase):
    """The content of the sealed file that `source` stands at the beginning of. Raises Trouble where it is not whole."""

    def __init__(self, source: IO[bytes], passphrase: str) -> None:
        self._source = source
        self._header = source.read(HEADER.size)
        if len(self._header) != HEADER.size or not is_sealed(self._header):
            raise Trouble("This is no sealed file.")
        self._cipher, self._prefix = _cipher(passphrase, self._header)
        self._number = 0
        self._ended = False
        self._ahead = source.read(PIECE + TAG)
        self._ready = b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill `buffer` as far as one piece goes; 0 at the end."""
        while not self._ready and not self._ended:
            self._ready = self._next()
        view = memoryview(buffer)  # type: ignore[arg-type]
        part = self._ready[: len(view)]
        view[: len(part)] = part
        self._ready = self._ready[len(part) :]
        return len(part)

    def _next(self) -> bytes:
        piece, self._ahead = self._ahead, self._source.read(PIECE + TAG)
        self._ended = not self._ahead
        nonce = self._prefix + struct.pack(">I?", self._number, self._ended)
        self._number += 1
        try:
            return self._cipher.decrypt(nonce, piece, self._header)
        except (InvalidTag, ValueError):
            raise Trouble(DAMAGED) from None

"""The key that signs heads. It lives in a file (or the environment), never in the database.

``LEDGER_KEY_DIR`` holds ``signing_key`` (32 bytes as hexadecimal, mode 0600, made
once) and ``public_keys.jsonl``, one line for every key that ever signed, the
oldest first. A new key is signed by the one before it, so that whoever noted the
first key can follow the chain. ``LEDGER_SIGNING_KEY`` takes the place of the file.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from ledger.rules.canonical import key_name

NEW_KEY = b"club-ledger key\x00\x01"
"""Magic of what an old key signs to hand over: this, then the new public key."""


@dataclass(frozen=True)
class Signer:
    """A private key ready to sign; ``public_key`` is 32 bytes."""

    private_key: Ed25519PrivateKey
    public_key: bytes
    key_id: str

    def sign(self, message: bytes) -> bytes:
        """Ed25519 signature, 64 bytes."""
        return self.private_key.sign(message)


@dataclass(frozen=True)
class KnownKey:
    """A public key that signs or has signed, and the handing over by the key before it."""

    key_id: str
    public_key: bytes
    signed_by: str | None
    signature: bytes | None


def verify_signature(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether ``signature`` over ``message`` is by the holder of ``public_key``."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def current_signer() -> Signer:
    """The key to sign with; made on first use, and from then on among the known keys."""
    given = settings.LEDGER_SIGNING_KEY
    seed = bytes.fromhex(given) if given else _stored_seed(_directory() / "signing_key")
    signer = _signer(seed)
    if signer.key_id not in known_keys():
        _remember(signer, None)
    return signer


def known_keys(path: Path | None = None) -> dict[str, KnownKey]:
    """Every key that ever signed, by ``key_id``, the oldest first; of another file than the site's own by ``path``."""
    return {key.key_id: key for key in _read_known(path or _directory() / "public_keys.jsonl")}


def rotate_key() -> Signer:
    """Make a new signing key, signed by the old one; the old public key stays known.

    Raises ``RuntimeError`` when the key comes from the environment: whoever set it must replace it."""
    if settings.LEDGER_SIGNING_KEY:
        raise RuntimeError("the signing key is set by LEDGER_SIGNING_KEY: change it there")
    old = current_signer()
    path = _directory() / "signing_key"
    draft = _write_draft(path, secrets.token_bytes(32))
    new = _signer(bytes.fromhex(draft.read_text()))
    # Known before it signs: nobody ever meets a signature by a key that is not listed.
    _remember(new, old)
    draft.replace(path)
    return new


def _directory() -> Path:
    return Path(settings.LEDGER_KEY_DIR)


def _signer(seed: bytes) -> Signer:
    private_key = Ed25519PrivateKey.from_private_bytes(seed)
    public_key = private_key.public_key().public_bytes_raw()
    return Signer(private_key, public_key, key_name(public_key))


def _stored_seed(path: Path) -> bytes:
    """The seed in ``path``, made first when there is none; of several processes one wins, all read the same."""
    if not path.exists():
        draft = _write_draft(path, secrets.token_bytes(32))
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return bytes.fromhex(path.read_text())


def _write_draft(path: Path, seed: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(seed.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    return draft


def _read_known(path: Path) -> Iterator[KnownKey]:
    with suppress(FileNotFoundError):
        for line in path.read_text().splitlines():
            value = json.loads(line)
            public_key = bytes.fromhex(value["public_key"])
            signature = value["signature"]
            yield KnownKey(
                key_name(public_key),
                public_key,
                value["signed_by"],
                None if signature is None else bytes.fromhex(signature),
            )


def _remember(signer: Signer, former: Signer | None) -> None:
    line = {
        "key_id": signer.key_id,
        "public_key": signer.public_key.hex(),
        "signed_by": former.key_id if former else None,
        "signature": former.sign(NEW_KEY + signer.public_key).hex() if former else None,
    }
    path = _directory() / "public_keys.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())

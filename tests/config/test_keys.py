"""The secret key that the site makes for itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from config.keys import stored_secret_key


def test_it_is_made_once_and_private(tmp_path):
    path = tmp_path / "var" / "secret_key"
    key = stored_secret_key(path)
    assert len(key) > 50
    assert stored_secret_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_many_who_ask_at_once_get_the_same_key(tmp_path):
    path = tmp_path / "secret_key"
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: stored_secret_key(path), range(64)))
    assert len(keys) == 1
    assert list(tmp_path.iterdir()) == [path]

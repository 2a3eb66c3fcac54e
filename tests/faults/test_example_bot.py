"""The example bot plays whole matches through the public API of a real site."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.faults.conftest import PROJECT, OwnSite

pytestmark = pytest.mark.servers

MAKE_MEMBER = """
import django
django.setup()
from clubs.models import Membership, User
Membership.objects.create(user=User.objects.create_user(username="robot", is_bot=True), club_id=1)
"""


@pytest.fixture(scope="module")
def token(own_site: OwnSite) -> str:
    """A token of a member of the site's club, made as a keeper makes one on the server."""
    environment = own_site.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    common = {"cwd": PROJECT, "env": environment, "check": True, "capture_output": True, "text": True}
    subprocess.run([sys.executable, "-c", MAKE_MEMBER], **common)
    command = [
        sys.executable,
        "manage.py",
        "make_token",
        "robot",
        "bot",
        "--scope",
        "read",
        "--scope",
        "play",
    ]
    return subprocess.run(command, **common).stdout.strip()


@pytest.mark.parametrize("game", ["least_score", "three_card_loo"])
def test_the_example_bot_plays_a_match_to_its_end(own_site: OwnSite, token: str, game: str) -> None:
    done = subprocess.run(
        [sys.executable, "examples/bot.py", own_site.address, game],
        cwd=PROJECT,
        env={**os.environ, "CLUB_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["status"] == "finished" and said["ranking"]
    moves, by_clock = own_site.rows(
        "SELECT count(*) FILTER (WHERE by = 'person' AND seat = 1 AND move <> ''),"
        " count(*) FILTER (WHERE by IN ('clock', 'stand_in') AND seat = 1)"
        " FROM games_logentry WHERE table_id = %s",
        said["table"],
    )[0]
    assert moves >= 1 and by_clock == 0, "the bot made all its moves itself and in time"

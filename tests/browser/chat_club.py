"""``python -m tests.browser.chat_club``: two members at a slow table and one who may watch; tells them as JSON.

Another process than the test's, since Playwright's event loop forbids Django's connection there.
"""

from __future__ import annotations

import json
import os
import sys

PASSWORD = "only for tests, and long enough"
NAMES = {"mari": "Mari <b>Mets</b>", "jaan": "Jaan Kask", "vaike": "Vaike Vaatleja"}


def main() -> None:
    """Make people and open a table that nobody's clock hurries."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from clubs.models import User
    from games import services

    people = {
        username: User.objects.create_user(username=username, password=PASSWORD, display_name=name)
        for username, name in NAMES.items()
    }
    table = services.open_table(
        game="least_score",
        options={},
        clock="days",
        members={1: people["mari"], 2: people["jaan"]},
        bots={3: "random"},
        opened_by=people["mari"],
        pace_ms=0,
    )
    json.dump({"table": str(table.id), "password": PASSWORD}, sys.stdout)


if __name__ == "__main__":
    main()

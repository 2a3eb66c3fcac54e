"""``python -m tests.browser.course_club``: two members and a bot at a table with a slow clock; tells them as JSON.

Another process than the test's, since Playwright's event loop forbids Django's connection there.
"""

from __future__ import annotations

import json
import os
import sys

PASSWORD = "only for tests, and long enough"


def main() -> None:
    """Make people and open a table for them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from clubs.models import User
    from games import services

    people = [
        User.objects.create_user(username=f"course-{name.lower()}", password=PASSWORD, display_name=name)
        for name in ("Liisa", "Peeter")
    ]
    table = services.open_table(
        game="least_score",
        options={},
        clock="relaxed",
        members=dict(enumerate(people, start=1)),
        bots={3: "random"},
        opened_by=people[0],
        pace_ms=0,
    )
    json.dump({"table": str(table.id), "password": PASSWORD}, sys.stdout)


if __name__ == "__main__":
    main()

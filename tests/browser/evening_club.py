"""``python -m tests.browser.evening_club``: an organiser and five members of a club with chips; tells them as JSON.

Another process than the test's, since Playwright's event loop forbids Django's connection there.
"""

from __future__ import annotations

import json
import os
import sys

PASSWORD = "only for tests, and long enough"
ORGANISER = "evening-olga"
MEMBERS = {f"evening-{n}": f"Member {name}" for n, name in enumerate(("Ada", "Bo", "Cleo", "Dag", "Eve"), 1)}


def main() -> None:
    """Make people and the chips of the club, of which the treasurer may give prizes."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import Group

    from clubs.models import User
    from ledger import services

    for username, name in MEMBERS.items():
        User.objects.create_user(username=username, password=PASSWORD, display_name=name)
    olga = User.objects.create_user(username=ORGANISER, password=PASSWORD, display_name="Olga")
    olga.groups.set(Group.objects.filter(name__in=("organiser", "treasurer")))
    services.create_asset(code="EVENING")
    services.open_house_account(kind="mint", asset="EVENING")
    json.dump({"password": PASSWORD, "organiser": ORGANISER, "members": MEMBERS}, sys.stdout)


if __name__ == "__main__":
    main()

"""`manage.py demo`: people to try the site with, on an empty site; says how to sign in."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand

from clubs.models import User
from config.demo_club import MEMBERS, OWNER, make_demo_club
from config.embedded import write_private

PASSWORD_FILE = "demo_password"


class Command(BaseCommand):
    help = "Make the demo club on an empty site (its people share one password) and say how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing of an empty or a demo site; leave a real club alone."""
        path = settings.VAR_DIR / PASSWORD_FILE
        owner = User.objects.filter(username=OWNER).first()
        if path.exists() and owner is not None and not owner.is_active:
            self.stdout.write("The demo club was put away when this site's own club was founded.")
            return
        if path.exists():
            password = path.read_text().strip()
        elif User.objects.filter(is_guest=False).exists():
            self.stdout.write("The site has members of its own: no demo club was made.")
            return
        else:
            password = f"{secrets.token_hex(3)}-{secrets.token_hex(3)}"
            make_demo_club(password)
            write_private(path, f"{password}\n")
        self.stdout.write(
            f"Demo club: sign in as {OWNER} (may use the admin), {', '.join(MEMBERS)}; password of each, unless you "
            f"changed it: {password}"
        )

"""`manage.py demo`: people to try the site with, on an empty site; says how to sign in."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import FIRST_CLUB, User
from config.embedded import write_private
from games.stakes import BOTS_OWNER
from ledger import selectors, services

OWNER = "owner"
MEMBERS = {"anna": "Anna", "bert": "Bert", "carl": "Carl", "dora": "Dora"}
PASSWORD_FILE = "demo_password"
ASSET = "CHIPS"
MEMBERS_CHIPS, BOTS_CHIPS = 2_000, 100_000


class Command(BaseCommand):
    help = "Make the demo club on an empty site (its people share one password) and say how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing of an empty or a demo site; leave a real club alone."""
        path = settings.VAR_DIR / PASSWORD_FILE
        if path.exists():
            password = path.read_text().strip()
        elif User.objects.filter(is_guest=False).exists():
            self.stdout.write("The site has members of its own: no demo club was made.")
            return
        else:
            password = f"{secrets.token_hex(3)}-{secrets.token_hex(3)}"
            self._make_people(password)
            write_private(path, f"{password}\n")
        self.stdout.write(
            f"Demo club: sign in as {OWNER} (may use the admin), {', '.join(MEMBERS)}; password of each, unless you "
            f"changed it: {password}"
        )

    @transaction.atomic
    def _make_people(self, password: str) -> None:
        users = User.objects
        owner = users.create_superuser(OWNER, password=password, display_name="Olav Owner")
        members = [
            users.create_user(username, password=password, display_name=name)
            for username, name in MEMBERS.items()
        ]
        self._give_chips(owner, members)

    def _give_chips(self, owner: User, members: list[User]) -> None:
        """Let the owner, as treasurer, give everybody chips to play with, and the bots theirs."""
        treasurer = services.owner_of(user=owner)
        if ASSET not in selectors.minted_assets(club_id=FIRST_CLUB):
            services.create_asset(code=ASSET)
        given = {services.owner_of(user=user): MEMBERS_CHIPS for user in (owner, *members)}
        for someone, chips in {**given, BOTS_OWNER: BOTS_CHIPS}.items():
            wallet = services.open_wallet(owner=someone, asset=ASSET)
            key = f"desk:demo:{treasurer}:{someone}"
            reference = _("chips to try the site with")
            services.issue_chips(key=key, wallet=wallet, amount=chips, by=treasurer, reference=reference)

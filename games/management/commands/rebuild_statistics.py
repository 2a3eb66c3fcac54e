"""Count all ended deals anew for the statistics page; the numbers come out the same unless something was wrong."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games import services


class Command(BaseCommand):
    """``manage.py rebuild_statistics``."""

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        """Recount, and say how many deals there were."""
        self.stdout.write(f"{services.recount_deals()} deals were counted.")

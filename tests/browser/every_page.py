"""``python -m tests.browser.every_page``: every page that the site has, and who is shown it; tells them as JSON.

The addresses come from the URL patterns and what they name from the world that the rights are asked in, so that no page
is forgotten. Another process than the test's, since Playwright's event loop forbids Django's connection there.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

ASKED = ("keeper", "owner", "visitor")
"""Who is asked for a page: the keeper is shown nearly all, the owner what belongs to the club, strangers the rest."""

NO_PAGE = (200, 401, 405)
"""Answers of what is no page for anybody: data, the API's wish for a token, a form that is only sent to."""

SEVERAL: dict[str, dict[str, tuple[str, ...]]] = {
    "tournaments:print_round": {"what": ("cards", "seats", "slips")},
    "games:rules": {"game": ("three_card_loo", "least_score")},
    "games:lesson": {"lesson": ("three_card_loo", "least_score")},
}
"""Parts of addresses each value of which is a page of its own."""


LONG = "Õunapuuaiamaasikakoogiküpsetajateliit77"
"""A name without a place to break it, as long as a person's may be; the others are longer."""

NAMES = {
    "keeper": LONG[1:] + "k",
    "owner": "שלוםשלוםשלוםשלוםשלוםשלוםשלוםשלוםשלוםשלום",
    "organiser": LONG[1:] + "o",
    "treasurer": "🃏" * 20 + "🏴" * 20,
    "auditor": "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "member": LONG[1:] + "m",
    "approver": "😀Мария" * 6,
    "another": LONG[1:] + "z",
    "asker": LONG[1:] + "a",
}
"""What people at most call themselves: whose pages are wide because of it is told."""


def main() -> None:
    """Fill the site and ask for every address until somebody is shown a page."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings

    # Nobody signs in with these passwords but the keeper, here below.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    world = filled()
    found = list(pages(world))
    cookie = settings.SESSION_COOKIE_NAME
    told: dict[str, Any] = {
        "cookie": cookie,
        "sessions": {who: world.clients[who].cookies[cookie].value for who in ASKED if world.people[who]},
        "pages": {
            who: sorted({address for person, _name, address in found if person == who}) for who in ASKED
        },
        "not_there": sorted(name for person, name, _address in found if not person),
    }
    json.dump(told, sys.stdout)


def filled() -> Any:
    """Return the world, open to others, with an event that is over and a rated match, beside the site's own workers."""
    from django.core.cache import cache

    from clubs.models import Club
    from clubs.services.unsubscribing import EVERYTHING, stop_token
    from games import services
    from ledger.models import Seal
    from ledger.services.sealing import seal_pending
    from tests.browser.audit_club import play_beside_the_workers
    from tests.rights.world import PASSWORD, World
    from tests.tournaments.events import played, with_players
    from tournaments import services as events

    class Site(World):
        def _play(self, table: Any) -> None:
            play_beside_the_workers(table, deals=1, steady=True)

    world = Site(sealed=False)
    world.open()
    long_names(world)
    # The first club is the other tests' own.
    Club.objects.filter(pk=1).update(listed=True, welcomes_guests=True)
    pair = [world.person(name) for name in ("member", "approver")]
    rated = services.open_table(
        game="least_score",
        options={"threshold": 25, "match": "first_out"},
        clock="days",
        members=dict(enumerate(pair, start=1)),
        bots={},
        opened_by=pair[0],
        rated=True,
        pace_ms=0,
        club=world.club,
    )
    play_beside_the_workers(rated, steady=True)
    by = world.person("organiser")
    over = with_players(by, 3, rounds=1, club=world.club)
    played(by, over, 1)
    events.finish_tournament(tournament_id=over.pk, by=by)
    world.later = (
        {"event_id": over.pk},
        {"table_id": rated.pk, "person_id": pair[0].pk},
        {"signed": stop_token(user=pair[0], kind=EVERYTHING)},
    )
    while not Seal.objects.exists():  # Other transactions may keep the seals back for a moment.
        seal_pending()
    cache.clear()
    for client in world.clients.values():
        client.defaults["HTTP_HOST"] = "127.0.0.1"
    world.clients["keeper"].post("/sign-in/again/", {"password": PASSWORD})
    stay_fresh(world.clients["keeper"])
    return world


def stay_fresh(client: Any) -> None:
    """Let a sign-in count as fresh for hours: a slow machine looks at all pages for longer than the five minutes."""
    session = client.session
    session["account_authentication_methods"][-1]["at"] += 3 * 60 * 60
    session.save()


def long_names(world: Any) -> None:
    """Give people, club, event and season names as long as they may be, without a place to break them."""
    from clubs.models import Club, User
    from tournaments.models import Season, Tournament

    for username, name in NAMES.items():
        User.objects.filter(username=username).update(display_name=name)
    Club.objects.filter(pk=world.club.pk).update(name=(LONG * 2)[:60])
    Season.objects.update(name=(LONG * 2)[:79] + "s")
    Tournament.objects.update(name=(LONG * 2)[:80])
    world.club.refresh_from_db()


def pages(world: Any) -> Iterator[tuple[str, str, str]]:
    """Yield who is shown a page (empty: nobody), the name of its address, and the address."""
    from tests.rights.addresses import address_of, addresses

    usual = dict(world.things)
    for name, parts in addresses():
        several = SEVERAL.get(name, {})
        for chosen in itertools.product(*several.values()):
            values = dict(zip(several, chosen, strict=True))
            for later in ({}, *world.later):
                world.things = usual | values | later
                address = address_of(name, parts, world)
                person, no_page = shown_to(world, address)
                if person:
                    yield person, name, address
                if person or no_page:
                    break
            else:
                yield "", name, address


def shown_to(world: Any, address: str) -> tuple[str, bool]:
    """Return who is shown a page at an address (empty: nobody), and whether it is no page."""
    for person in ASKED:
        response = world.clients[person].get(address)
        html = "html" in response.headers.get("Content-Type", "html")
        if html and response.status_code == 200 and b"<html" in response.content[:2_000]:
            return person, False
        if not html:
            return "", True
        # Only a keeper may come in where nobody may add, change or delete, and is sent on where there is nothing yet.
        if response.status_code in NO_PAGE or (address.startswith("/admin/") and response.status_code != 404):
            return "", True
    return "", response.status_code == 302


if __name__ == "__main__":
    main()

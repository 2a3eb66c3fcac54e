"""What the doors and the pages of clubs and settings look like when something is wrong, new, used up or empty.

``FORMS`` are looked at after something was typed; a person whom the site does not know has a browser without a session.
"""

from __future__ import annotations

from typing import Any

PASSWORD = "a good long password"
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36"
DESK = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

VIEWS = (
    ("club.visitor", "", "/clubs/{club}/"),
    ("club.stranger", "page-bert", "/clubs/{club}/"),
    ("club.asked", "stranger", "/clubs/{club}/"),
    ("club.owner", "owner", "/clubs/{club}/"),
    ("club.empty", "owner", "/clubs/{empty}/"),
    ("club_members.owner", "owner", "/clubs/{club}/members/"),
    ("club_invitations.empty", "owner", "/clubs/{empty}/invitations/"),
    ("invitation.used", "", "/invitations/{used}/"),
    ("invitation.member", "stranger", "/invitations/{open}/"),
    ("notices.empty", "stranger", "/notifications/"),
    ("tokens.empty", "stranger", "/settings/tokens/"),
    ("account_set_password", "stranger", "/settings/password/first/"),
    ("api", "anna", "/api/v1/"),
)
"""Views as ``whole_club.MORE`` has them, with names of clubs and invitations."""

FORMS = (
    ("login.wrong", "", "/sign-in/", {"login": "anna", "password": "not this one"}),
    ("account_signup.wrong", "", "/sign-up/", {"name": "Anna", "email": "nobody", "password1": "1234"}),
    ("mfa_authenticate", "newcomer", "/sign-in/", {"login": "salme", "password": PASSWORD}),
    ("account_reset_password.wrong", "", "/password/", {"email": "nobody"}),
    ("settings.wrong", "anna", "/settings/", {"display_name": "Bert"}),
    ("erase_me.wrong", "anna", "/settings/erase/", {"username": "bert"}),
    ("mfa_activate_totp.wrong", "anna", "/settings/app/", {"code": "000000"}),
    ("new_token.wrong", "anna", "/settings/tokens/new/", {"name": ""}),
    ("new_token.made", "anna", "/settings/tokens/new/", {"name": "Scores in the hall"}),
    ("new_club.wrong", "owner", "/clubs/new/", {"name": "Friday evenings", "slug": "Friday!"}),
    ("club_invitations.wrong", "owner", "/clubs/{club}/invitations/", {"uses": "0", "days": "1000"}),
)
"""A name, who looks, the address of a form, and what is typed into it before it is sent."""


def fill(people: dict[str, Any], open_token: str, session: str) -> dict[str, Any]:
    """Make what ``VIEWS`` and ``FORMS`` name; return both, filled in, with the stranger's session. ``session`` is Anna's, who has signed in elsewhere too."""
    from clubs import services as clubs
    from clubs.models import FIRST_CLUB, Club, User
    from tests.browser.page_club import sessions_of
    from tests.browser.whole_club import second_factor

    owner, club = people["owner"], Club.objects.get(pk=FIRST_CLUB)
    salme = clubs.sign_up(
        guest=None, name="Salme", email="salme@club.example", password=PASSWORD, language="et"
    )
    second_factor(salme)
    used = clubs.token_of(clubs.invite(club=club, by=owner))
    clubs.redeem(token=used, user=salme, network="192.0.2.7")
    empty = clubs.make_club(owner=owner, name="Quiet evenings", slug="quiet-evenings")
    signed_in(people["anna"], session)
    names = {"club": club.slug, "empty": empty.slug, "used": used, "open": open_token}
    stranger = {"stranger": User.objects.get(username="stranger")}
    return {
        "sessions": sessions_of(stranger)["sessions"],
        "views": [(name, who, address.format(**names)) for name, who, address in VIEWS],
        "forms": [(name, who, address.format(**names), typed) for name, who, address, typed in FORMS],
    }


def signed_in(person: Any, session: str) -> None:
    """Write down a session of a person as it is when a browser signs in, and a copy of it as one of another device.

    Nobody signs in for that: the links that let somebody choose a new password end with it.
    """
    from allauth.usersessions.models import UserSession
    from django.contrib.sessions.backends.db import SessionStore

    other = SessionStore()
    other.update(SessionStore(session).load())
    other.create()
    devices = ((session, "192.0.2.7", PHONE), (other.session_key, "198.51.100.20", DESK))
    for key, address, browser in devices:
        UserSession.objects.create(user=person, session_key=key, ip=address, user_agent=browser)


def unfound() -> str:
    """Take the site back to before its founding; return the address at which it is founded."""
    from django.urls import reverse

    from clubs.models import Club
    from clubs.services.founding import DEMO_SLUG, founding_key

    Club.objects.exclude(slug=DEMO_SLUG).update(founded_at=None)
    return f"{reverse('found')}?key={founding_key()}"

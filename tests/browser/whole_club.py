"""``python -m tests.browser.whole_club``: the demo club with something at every address of the site; tells them as JSON.

``… unfound`` takes the site back to before its club was founded and tells the address at which that is done.

It fills a site on which the demo club was made: that one's people own what is here, and ``page_club`` brings tables in
every state. Another process than the browser's, since Playwright's event loop forbids Django's connection there.
"""

from __future__ import annotations

import json
import os
import sys
import time
from types import SimpleNamespace
from typing import Any

PLAYERS = (
    *(
        "Aino Mägi",
        "Bernhard Põldsaar-Kuusemets",
        "Cecilia Rand",
        "Dagmar Õispuu",
        "Eduard Saar",
        "Frida Kask",
    ),
    *("Gustav Ilves", "Helmi Tamm", "Ivar Sepp", "Juta Kõiv", "Kaarel Lepik", "Leida Oja", "Mihkel Vaher"),
)


def main() -> None:
    """Fill the site and tell it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from tests.browser.door_states import unfound

    json.dump(unfound() if sys.argv[1:] == ["unfound"] else fill(), sys.stdout)


def fill() -> dict[str, Any]:
    """Return ``pages`` (names and addresses), ``missing`` (names without an example), the sessions, and more addresses
    worth a look with the person who looks."""
    from clubs.models import User
    from tests.browser import door_states, page_club

    told = page_club.fill()
    told["sessions"] = {f"page-{name}": session for name, session in told["sessions"].items()}
    people = {name: User.objects.get(username=name) for name in ("anna", "bert", "carl", "dora", "owner")}
    told["sessions"] |= lasting(page_club.sessions_of(people)["sessions"])
    passkey_id = second_factor(people["dora"])
    old_things(people)
    things, evenings = things_of(people, told), events_of(people)
    things |= {
        "pk": passkey_id,
        "event_id": evenings["running"].pk,
        "tournaments": 1,
        "season_id": evenings.pop("season").pk,
    }
    told["pages"], told["missing"] = pages(things, evenings["running"])
    told["pages"] |= {
        "tournaments:result": f"/events/{evenings['over'].pk}/result/",
        "tournaments:print_diplomas": f"/events/{evenings['over'].pk}/print/diplomas/",
        "tournaments:print_round": f"/events/{evenings['running'].pk}/rounds/2/print/cards/",
        "tournaments:draft": f"/events/{evenings['drawn'].pk}/rounds/1/draft/",
    }
    doors = door_states.fill(people, things["token"], told["sessions"]["anna"])
    told["more"] = [*more_of(told["tables"], evenings), *doors["views"]]
    told["forms"] = doors["forms"]
    told["sessions"] |= lasting(doors["sessions"])
    return told


def lasting(sessions: dict[str, str]) -> dict[str, str]:
    """Let the sessions count as freshly signed in for a day: some pages ask again who one is."""
    from allauth.account.internal.flows import login
    from django.contrib.auth import SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    for key in sessions.values():
        session = SessionStore(key)
        now = {"method": "password", "at": time.time() + 86_400, "reauthenticated": True}
        session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [now]
        session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = session[SESSION_KEY]
        session.save()
    return sessions


def second_factor(person: Any) -> int:
    """Let somebody have an app that tells codes, codes on paper, and a passkey; returns its id."""
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
    from allauth.mfa.webauthn.internal.auth import WebAuthn

    TOTP.activate(person, generate_totp_secret())
    RecoveryCodes.activate(person)
    return int(WebAuthn.add(person, "Dora's telephone", passkey()).instance.pk)


def passkey() -> dict[str, Any]:
    """Return what a telephone answers when a passkey is made on it."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from fido2.cose import ES256
    from fido2.utils import sha256, websafe_encode
    from fido2.webauthn import (
        AttestationObject,
        AttestedCredentialData,
        AuthenticatorData,
        CollectedClientData,
    )

    number = os.urandom(16)
    key = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    flag = AuthenticatorData.FLAG
    made = AuthenticatorData.create(
        sha256(b"127.0.0.1"),
        flag.UP | flag.UV | flag.AT,
        0,
        AttestedCredentialData.create(bytes(16), number, key),
    )
    asked = CollectedClientData.create("webauthn.create", os.urandom(32), "http://127.0.0.1")
    return {
        "id": websafe_encode(number),
        "rawId": websafe_encode(number),
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(asked),
            "attestationObject": websafe_encode(AttestationObject.create("none", made, {})),
        },
        "clientExtensionResults": {"credProps": {"rk": True}},
    }


def old_things(people: dict[str, Any]) -> None:
    """Let a match be so old that its log lies in a file, and a year of the book be closed.

    No posting can be dated back, so the year is only recorded: its page is there, its file is not.
    """
    import datetime as dt

    from django.utils import timezone

    from clubs.models import FIRST_CLUB
    from config.engines.processes import wait_until
    from games import services as games
    from games.models import Table
    from ledger import services as ledger
    from ledger.models import ClosedYear

    old = timezone.now() - dt.timedelta(days=40)
    Table.objects.filter(status=Table.Status.FINISHED, rated=False).update(finished_at=old)
    young = old + dt.timedelta(days=9)
    # The site's own workers count the deals of a match first.
    assert wait_until(lambda: bool(games.archive_deals(before=young).files), seconds=120, step=0.5)
    ClosedYear.objects.create(
        club_id=FIRST_CLUB,
        year=old.year - 1,
        last_seal=412,
        transactions=18_204,
        postings=61_377,
        size=2_480_112,
        sha256=bytes(range(32)),
        file=f"demo-{old.year - 1}.jsonl.gz",
        closed_by=ledger.owner_of(user=people["bert"]),
    )


def things_of(people: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Make what the demo club has none of, and return a value for every part of an address."""
    from allauth.account.forms import default_token_generator
    from allauth.account.models import EmailAddress, EmailConfirmationHMAC
    from allauth.account.utils import user_pk_to_url_str
    from django.contrib import admin

    from clubs import services as clubs
    from clubs.models import FIRST_CLUB, Club, JoinRequest, Notice, User
    from clubs.services.tokens import make_token
    from clubs.services.unsubscribing import stop_token
    from games import services as games
    from games.models import Table
    from ledger import services as ledger
    from ledger.models import Transaction
    from ledger.services.exported_postings import Wanted
    from ledger.services.exports import request_export, run_export
    from ledger.services.verifying import verify

    club, anna = Club.objects.get(pk=FIRST_CLUB), people["anna"]
    stranger = User.objects.create_user(username="stranger", display_name="Sofia Stranger")
    request = JoinRequest.objects.create(club=club, user=stranger, message="Anna told me of your evenings.")
    invitation = clubs.invite(club=club, by=people["owner"], uses=20)
    address = EmailAddress.objects.create(user=anna, email="anna@club.example", primary=True)
    make_token(user=anna, name="Scores on my wall", scopes=["read"], days=30)
    wallet, by = ledger.open_wallet(owner=ledger.owner_of(user=anna), asset="CHIPS"), people["bert"]
    ledger.set_credit_line(
        account=wallet, credit=500, by=ledger.owner_of(user=by), reason="a guest of the club"
    )
    number = Transaction.objects.filter(postings__credit=wallet).latest("id").pk
    auditor = ledger.owner_of(user=people["dora"])
    ledger.request_adjustment(transaction_id=number, requested_by=auditor, reason="entered twice")
    run_export(export=request_export(format="csv", wanted=Wanted(club=club.pk), by=auditor).pk)
    verify(steps="a")
    games.silence(organiser=people["carl"], report_id=told["report"], hours=24, why="It was meant to hurt.")
    table = Table.objects.get(game="least_score", status=Table.Status.FINISHED, rated=True)
    tell = {"key": "join_answer:shown", "address": f"/clubs/{club.slug}/", "club_id": club.pk}
    clubs.notify(users=[anna], kind="join_answer", about={"club": club.name, "accepted": True}, **tell)
    clubs.choose_notices(user=anna, mails="daily", quiet_site=[], quiet_mail=["drawn"])
    things: dict[str, Any] = {
        f"{model._meta.app_label}_{model._meta.model_name}": row.pk
        for model in admin.site._registry
        if (row := model._default_manager.first()) is not None
    }
    return things | {
        "club_slug": club.slug,
        "person_id": anna.pk,
        "username": anna.username,
        "request_id": request.pk,
        "invitation_id": invitation.pk,
        "token": clubs.token_of(invitation),
        "key": EmailConfirmationHMAC(address).key,
        "uidb36": user_pk_to_url_str(anna),
        "reset": default_token_generator.make_token(anna),
        "account": wallet,
        "ledger": number,
        "table_id": table.pk,
        "report_id": told["report"],
        "silence_id": 1,
        "notice_id": Notice.objects.filter(user=anna).values_list("pk", flat=True)[0],
        "signed": stop_token(user=anna, kind="turn"),
        "games": 1,
        "version": 1,
    }


def events_of(people: dict[str, Any]) -> dict[str, Any]:
    """Hold an evening to its end, another to its second round, draw one and think of one."""
    from tests.tournaments.events import enter_table, event, played, released
    from tournaments import services
    from tournaments.models import Tournament
    from tournaments.selectors.field import tables_of

    carl, season = people["carl"], services.create_season(by=people["carl"], name="Winter evenings")

    def evening(name: str, **terms: Any) -> Any:
        made = event(carl, season=season, **terms)
        Tournament.objects.filter(pk=made.pk).update(name=name)
        for person in (people["anna"], people["dora"]):
            services.register(tournament_id=made.pk, user=person)
        for player in PLAYERS:
            services.register_by_hand(tournament_id=made.pk, by=carl, name=player)
        return services.start_tournament(tournament_id=made.pk, by=carl)

    over = evening("First evening", rounds=2)
    for number in (1, 2):
        played(carl, over, number)
    services.finish_tournament(tournament_id=over.pk, by=carl)
    running = evening("Second evening", rounds=3)
    played(carl, running, 1)
    row = released(carl, running, 2)
    enter_table(carl, running, tables_of(row)[0])
    services.announce(tournament_id=running.pk, by=carl, text="Coffee after this round.")
    drawn = evening("Third evening", rounds=3)
    services.draw(tournament_id=drawn.pk, by=carl)
    idea = services.create_tournament(
        by=carl, name="Fourth evening", game="three_card_loo", size_min=5, size_ideal=6, size_max=7
    )
    return {"over": over, "running": running, "drawn": drawn, "draft": idea, "season": season}


def pages(things: dict[str, Any], event: Any) -> tuple[dict[str, str], list[str]]:
    """Return the address of every page by its name, and the names for which there is no example here."""
    from django.urls import NoReverseMatch

    from tests.rights.addresses import FIXED, address_of, addresses

    world = SimpleNamespace(
        things=things | {"admin": things.get("ledger")},
        table=SimpleNamespace(pk=things["table_id"]),
        event=SimpleNamespace(pk=event.pk),
    )
    found, missing = {}, []
    for name, parts in addresses():
        if (
            name.startswith("api:")
            or name.endswith(NO_PAGE)
            or (name.endswith(ALIKE) and name not in ONE_OF_EACH)
        ):
            continue
        named = name if name not in found else f"{name}.{'.'.join(parts)}"
        if name == "account_reset_password_from_key":
            world.things["key"], kept = things["reset"], things["key"]
        try:
            found[named] = address_of(name, parts, world)
        except (KeyError, NoReverseMatch):
            missing.append(f"{name} ({', '.join(set(parts) - things.keys() - FIXED.keys()) or 'no match'})")
        if name == "account_reset_password_from_key":
            world.things["key"] = kept
    return found, missing


NO_PAGE = ("admin:jsi18n", "admin:autocomplete", "admin:view_on_site")
"""Addresses of the admin that show nothing."""

ALIKE = ("_add", "_delete", "_history")
"""Endings of the admin's addresses that are not open, or look the same for every kind of row: of these ONE_OF_EACH."""

ONE_OF_EACH = (
    *("admin:auth_group_add", "admin:auth_group_delete", "admin:auth_group_history"),
    *("admin:clubs_user_history", "admin:ledger_export_add", "admin:clubs_act_history"),
)


MORE = (
    *(("home", who, "/") for who in ("", "bert", "owner")),
    *(("lobby", who, "/lobby/") for who in ("", "page-anna")),
    *((f"style.{code}", "", f"/style/{code}/") for code in (400, 403, 404, 405, 429, 500)),
    ("new_table.loo", "anna", "/tables/new/?game=three_card_loo"),
    *(
        (f"table.{name}", "page-anna", f"/tables/{{{name}}}/")
        for name in ("loo16", "least6", "least10", "talked", "seating", "finished")
    ),
    *((f"table.{name}", "", f"/tables/{{{name}}}/") for name in ("loo16", "seating")),
    ("events", "", "/events/"),
    ("running", "", "/events/{running}/"),
    *(
        (f"running.{name}", "carl", f"/events/{{running}}/{name}/")
        for name in ("desk", "players", "rounds/2")
    ),
    *(
        (f"print.{what}", "carl", f"/events/{{running}}/rounds/2/print/{what}/")
        for what in ("slips", "seats")
    ),
    ("over", "anna", "/events/{over}/"),
    *(
        (f"over.{name}", "anna", f"/events/{{over}}/{name}/")
        for name in ("standings", "draw/check", "replays")
    ),
    *((f"draft.{name}", "carl", f"/events/{{draft}}/{name}/") for name in ("desk", "players", "terms")),
    ("nobody.chips", "page-bert", "/chips/"),
    ("filtered.transactions", "bert", "/admin/ledger/transaction/?kind=issue"),
    ("filtered.members", "carl", "/admin/clubs/membership/?state__exact=active"),
    ("sought.accounts", "bert", "/admin/ledger/account/?q=anna"),
    ("sought.nothing", "bert", "/admin/ledger/account/?q=nobody+of+that+name"),
    ("sought.no_one", "owner", "/admin/clubs/user/?q=nobody"),
    ("wrong.filter", "bert", "/admin/ledger/transaction/?since=2026-02-31"),
    ("wallet.statement", "bert", "/admin/ledger/account/2/change/?direction=in"),
    ("nobody.history", "page-olga", "/history/"),
    ("nobody.events", "page-olga", "/events/mine/"),
)
"""Further views of some addresses: a name, who looks (nobody: a visitor), the address with names of tables and events."""


def more_of(tables: dict[str, str], evenings: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return ``MORE`` with its addresses filled in."""
    known = tables | {name: event.pk for name, event in evenings.items()}
    return [(name.replace("/", "."), who, address.format(**known)) for name, who, address in MORE]


if __name__ == "__main__":
    main()

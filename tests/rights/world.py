"""A site with two clubs that do not see each other, everything in the first that an address can name, and the people
who ask: one for each role."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.utils import timezone

from clubs import services as clubs
from clubs.models import Act, Club, JoinRequest, Membership, Notice, Role, User
from games import services as games
from games.models import OrganiserAct, Report, Silence, Table
from ledger import services as ledger
from ledger.models import ClosedYear, CreditLine, Verification
from ledger.services.exported_postings import Wanted
from ledger.services.exports import request_export, run_export
from ledger.services.verifying import verify
from tests.games.tables import play_bots_until, start
from tests.ledger.books import seal_everything
from tests.tournaments.events import released
from tournaments import services as events

ROLES = ("member", "organiser", "treasurer", "approver", "auditor", "owner")
PEOPLE = ("visitor", "guest", "outsider", "banned", *ROLES, "keeper")
"""Who asks, in the order of the table's columns. The outsider has every role in the other club."""

PASSWORD = "a good long password"


class World:
    """The two clubs, both closed."""

    def __init__(self, *, sealed: bool) -> None:
        self.sealed = sealed
        self.people: dict[str, User | None] = {"visitor": None}
        self.people["guest"] = User.objects.create_user(username="guest-1", is_guest=True)
        for name in PEOPLE[2:-1]:
            self.people[name] = User.objects.create_user(username=name, password=PASSWORD)
        keeper = User.objects.create_superuser(username="keeper", password=PASSWORD)
        self.people["keeper"] = keeper
        self.club = clubs.make_club(
            owner=keeper, name="Our closed club", slug="ours", listed=False, welcomes_guests=False
        )
        other = clubs.make_club(
            owner=keeper, name="Theirs", slug="theirs", listed=False, welcomes_guests=False
        )
        Membership.objects.filter(user=keeper).delete()
        for role in ROLES:
            roles = [] if role == Role.MEMBER else [role]
            Membership.objects.create(club=self.club, user=self.people[role], roles=roles)
        Membership.objects.create(
            club=other,
            user=self.people["outsider"],
            roles=[role.value for role in Role if role != Role.MEMBER],
        )
        Membership.objects.create(club=self.club, user=self.people["banned"], state=Membership.State.BANNED)
        Club.objects.filter(pk=1).update(listed=False, welcomes_guests=False)
        self.things: dict[str, Any] = {"content_type_id": ContentType.objects.get_for_model(Table).pk}
        self._fill()
        self.is_open = False
        self.clients = {name: self._client(user) for name, user in self.people.items()}

    @property
    def secrets(self) -> list[str]:
        """What nobody outside the closed club may read."""
        return [
            "Our closed club",
            "OURS",
            "Fridayplay",
            "Zebedee",
            str(self.table.pk),
            str(self.event.pk),
            "Season of ours",
        ]

    @staticmethod
    def _client(user: User | None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    def open(self) -> None:
        """Let others see the first club and play there."""
        self.is_open = True
        Club.objects.filter(pk=self.club.pk).update(listed=True, welcomes_guests=True)

    def _fill(self) -> None:
        """Make one of everything in the first club."""
        self._people_of_the_club()
        self._book()
        self._table()
        self._event()

    def person(self, name: str) -> User:
        found = self.people[name]
        assert found is not None
        return found

    def _people_of_the_club(self) -> None:
        asker = User.objects.create_user(username="asker")
        self.things |= {
            "club_slug": self.club.slug,
            "person_id": self._another().pk,
            "request_id": JoinRequest.objects.create(club=self.club, user=asker).pk,
            "username": self._another().username,
        }
        invitation = clubs.invite(club=self.club, by=self.person("owner"), uses=100)
        self.things |= {"invitation_id": invitation.pk, "token": clubs.token_of(invitation)}

    def _another(self) -> User:
        user, made = User.objects.get_or_create(username="another", defaults={"display_name": "Zebedee"})
        if made:
            Membership.objects.create(club=self.club, user=user)
        return user

    def _book(self) -> None:
        ledger.create_asset(code="OURS", club=self.club)
        owner = ledger.owner_of(user=self._another())
        self.wallet = ledger.open_wallet(owner=owner, asset="OURS")
        by = ledger.owner_of(user=self.person("treasurer"))
        issued = ledger.issue_chips(key="desk:1", wallet=self.wallet, amount=500, by=by, reference="x")
        ledger.set_credit_line(account=self.wallet, credit=5, by=by, reason="a friend")
        if self.sealed:
            seal_everything()
        verify(steps="a")
        self.transaction = issued.id
        asked = ledger.request_adjustment(
            transaction_id=issued.id, requested_by=ledger.owner_of(user=self.person("auditor")), reason="x"
        )
        told = Notice.objects.get(user=self.person("approver"))
        export = request_export(format="csv", wanted=Wanted(club=self.club.pk), by=by)
        run_export(export=export.pk)
        # Its file is gone: whoever may fetch it is sent back and told so.
        closed = ClosedYear.objects.create(
            club=self.club, year=2020, last_seal=1, transactions=1, postings=1, size=1, sha256=b"x" * 32,
            file="gone", closed_by=by,
        )  # fmt: skip
        self.things |= {
            "account": self.wallet,
            "notice_id": told.pk,
            "clubs_notice": told.pk,
            "ledger_closedyear": closed.pk,
            "ledger_adjustment": asked.pk,
            "ledger_export": export.pk,
            "ledger_asset": ledger.create_asset(code="OURS", club=self.club).pk,
            "ledger_account": self.wallet,
            "ledger_transaction": self.transaction,
            "ledger_seal": 1,
            "ledger_creditline": CreditLine.objects.latest("pk").pk,
            "ledger_verification": Verification.objects.latest("pk").pk,
            "ledger": self.transaction,
        }

    def _table(self) -> None:
        """A listed table with a deal that is over, one that is reported, and a silence."""
        another = self._another()
        table = games.open_table(
            game="least_score",
            options={},
            clock="club",
            members={1: another},
            bots={2: "random", 3: "random"},
            opened_by=another,
            listed=True,
            pace_ms=0,
            bot_think_ms=0,
            club=self.club,
        )
        self._play(table)
        report = Report.objects.create(
            table=table, reporter=another, reported=self.person("member"), reason=Report.Reason.values[0]
        )
        silence = Silence.objects.create(
            club=self.club,
            user=another,
            table=table,
            until=timezone.now() + dt.timedelta(hours=1),
            by=self.person("organiser"),
            why="x",
        )
        act = OrganiserAct.objects.create(club=self.club, by=self.person("organiser"), kind="hide", why="x")
        self.table = table
        self.things |= {
            "table_id": table.pk,
            "report_id": report.pk,
            "silence_id": silence.pk,
            "games_table": table.pk,
            "games_deal": table.deals.earliest("number").pk,
            "games_report": report.pk,
            "games_silence": silence.pk,
            "games_organiseract": act.pk,
            "games": 1,
            "api": 1,
        }

    def _play(self, table: Table) -> None:
        start(table)
        play_bots_until(table, None)

    def _event(self) -> None:
        """An event at the club, in its first round, in a season."""
        organiser = self.person("organiser")
        season = events.create_season(by=organiser, name="Season of ours", club=self.club)
        event = events.create_tournament(
            by=organiser,
            name="Fridayplay",
            club=self.club,
            game="least_score",
            size_min=3,
            size_ideal=3,
            size_max=4,
            venue="club",
            check_in_needed=False,
            season=season,
        )
        events.open_registration(tournament_id=event.pk, by=organiser)
        events.register(tournament_id=event.pk, user=self._another())
        for n in range(2, 4):
            events.register_by_hand(tournament_id=event.pk, by=organiser, name=f"Guest {n}")
        events.start_tournament(tournament_id=event.pk, by=organiser)
        event.refresh_from_db()
        released(organiser, event, 1)
        self.event = event
        self.things |= {
            "event_id": event.pk,
            "season_id": season.pk,
            "tournaments": 1,
            "version": 1,
            "clubs_club": self.club.pk,
            "clubs_membership": Membership.objects.get(club=self.club, user=self._another()).pk,
            "clubs_invitation": self.things["invitation_id"],
            "clubs_joinrequest": self.things["request_id"],
            "clubs_act": Act.objects.filter(club=self.club).first().pk,  # type: ignore[union-attr]
            "clubs_user": self._another().pk,
        }

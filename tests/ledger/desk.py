"""People of the desk and a small book for the tests of pages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Group

from clubs.models import User
from ledger import services
from ledger.models import Adjustment, Export
from ledger.services.exported_postings import Wanted
from ledger.services.exports import request_export, run_export
from tests.ledger.books import proofs_in, seal_everything
from tests.ledger.conftest import Club, make_club

GROUPS = ("viewer", "auditor", "approver", "treasurer")


def person(name: str, **more: Any) -> User:
    """Somebody who can sign in; in the group of the same name, if there is one."""
    user = User.objects.create_user(username=name, password="a good long password", **more)
    if name in GROUPS:
        user.groups.add(Group.objects.get(name=name))
    return user


def everybody() -> dict[str, User | None]:
    """Everybody whose rights differ. Those of the desk are staff, since they work in the admin."""
    return {
        "anonymous": None,
        "member": person("member"),
        **{name: person(name, is_staff=True) for name in GROUPS},
        "superuser": User.objects.create_superuser(username="superuser", password="a good long password"),
    }


@dataclass
class DeskBook:
    """A sealed book in which a member won 30 from the pot of a table."""

    club: Club
    member: User
    wallet: int
    seat: int
    pot: int
    issued: int
    ante: int
    won: int


def desk_book(member: User) -> DeskBook:
    """Chips for the member, an ante and a win at a table, everything sealed."""
    club = make_club()
    owner = services.owner_of(user=member)
    wallet = services.open_wallet(owner=owner, asset="CHIPS")
    seat = services.open_account(kind="seat", ref="table/1/1", asset="CHIPS", owner=owner)
    by = services.owner_of(user=person("giver"))
    issued = services.issue_chips(key="give", wallet=wallet, amount=1_000, by=by, reference="receipt 7")

    def move(key: str, kind: str, debit: int, credit: int, amount: int) -> int:
        entries = [services.Entry(debit, credit, amount)]
        return services.post(key=key, kind=kind, source=f"test/1/{key}", postings=entries).id

    move("buy", "buy_in", wallet, seat, 200)
    ante = move("ante", "ante", seat, club.pot, 30)
    won = move("won", "trick", club.pot, seat, 30)
    seal_everything()
    return DeskBook(club, member, wallet, seat, club.pot, issued.id, ante, won)


def desk_filled(folder: Path) -> DeskBook:
    """The desk's book of a member called Mari, for tests marked `committed(filled=desk_filled)`."""
    with proofs_in(folder):
        return desk_book(person("mari", display_name="Mari Maasikas"))


def asked_reversal(book: DeskBook, by: User) -> Adjustment:
    """A request to reverse the win."""
    requested_by = services.owner_of(user=by)
    return services.request_adjustment(
        transaction_id=book.won, requested_by=requested_by, reason="counted twice"
    )


def finished_export(by: User) -> Export:
    """An export of everything, with its file."""
    made = request_export(format="csv", wanted=Wanted(), by=services.owner_of(user=by))
    assert run_export(export=made.pk) is not None
    return made

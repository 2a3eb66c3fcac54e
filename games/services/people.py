"""What becomes of seats, lines and chat when a person joins from a guest's seat, or goes for ever."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q

from clubs.errors import PersonRefusal
from clubs.models import User
from clubs.selectors import is_banned
from games.models import (
    ChatLine,
    ChatMute,
    LessonProgress,
    LogEntry,
    OrganiserAct,
    Report,
    Seat,
    Silence,
    Table,
    WaitingPlace,
)
from games.services.locked import locked_table
from games.services.seating import leave_table
from games.services.waiting import leave_line

STILL_OPEN = ~Q(table__status=Table.Status.FINISHED)


def take_over_seats(*, guest: User, member: User) -> None:
    """Give a member the seats that a guest held, running and past, except where the member sits already, and the lessons.

    There, and in clubs that have sent the member away, the guest's seat is left: a bot plays it on. Places in lines are given up. Takes the locks of the tables that
    are still open, in the order of their ids.
    """
    for place in WaitingPlace.objects.filter(user=guest).order_by("table_id"):
        leave_line(table_id=place.table_id, user_id=guest.pk)
    own = Seat.objects.filter(user=member).values("table")
    past = Seat.objects.filter(user=guest).exclude(STILL_OPEN).exclude(table__in=own)
    past.update(user=member)
    still_open = Seat.objects.filter(STILL_OPEN, user=guest).order_by("table_id")
    for table_id, club_id, left in list(still_open.values_list("table_id", "table__club", "left")):
        if not is_banned(member, club_id):
            _take_over_seat(table_id, guest, member)
        elif not left:
            leave_table(table_id=table_id, user_id=guest.pk)
    Table.objects.filter(opened_by=guest).update(opened_by=member)
    learnt = LessonProgress.objects.filter(user=member).values("game")
    LessonProgress.objects.filter(user=guest).exclude(game__in=learnt).update(user=member)


def _take_over_seat(table_id: UUID, guest: User, member: User) -> None:
    with locked_table(table_id) as locked:
        seats = locked.seats.values()
        seat = next((seat for seat in seats if seat.user_id == guest.pk), None)
        if seat is None:
            return
        if any(other.user_id == member.pk for other in seats):
            seat.left = True
            seat.save(update_fields=["left"])
            return
        seat.user = member
        seat.save(update_fields=["user"])
        # Everybody at the table is told the new name.
        locked.log(LogEntry.By.PERSON, ({"type": "seated", "seat": seat.number},), seat=seat.number)


def check_leaves(*, user: User) -> None:
    """Raise ``PersonRefusal("at_a_table")`` while a seat, or chips behind one, wait for the person."""
    held = Seat.objects.filter(STILL_OPEN, user=user).filter(Q(left=False) | Q(table__stake__gt=0))
    if held.exists():
        raise PersonRefusal("at_a_table")


def forget_person(*, user: User) -> None:
    """Take a person out of lines, and off everything that was said, muted and reported.

    Seats, moves and ratings stay with the row that has no name any more: others played against it. Lines and
    reports stay without a name until their time is over, as evidence of others.
    """
    for place in WaitingPlace.objects.filter(user=user).order_by("table_id"):
        leave_line(table_id=place.table_id, user_id=user.pk)
    ChatLine.objects.filter(author=user).update(author=None)
    ChatLine.objects.filter(hidden_by=user).update(hidden_by=None)
    ChatMute.objects.filter(Q(muter=user) | Q(muted=user)).delete()
    Silence.objects.filter(user=user).delete()
    LessonProgress.objects.filter(user=user).delete()
    Silence.objects.filter(by=user).update(by=None)
    for report in Report.objects.filter(evidence__contains=[{"author": user.pk}]):
        report.evidence = [
            {**line, "author": None} if line["author"] == user.pk else line for line in report.evidence
        ]
        report.save(update_fields=["evidence"])
    Report.objects.filter(reporter=user).update(reporter=None, note="")
    Report.objects.filter(reported=user).update(reported=None)
    OrganiserAct.objects.filter(by=user).update(by=None)
    OrganiserAct.objects.filter(person=user).update(person=None)
    # A number for the shuffle may be a name; those of deals that are over belong to their proofs.
    Seat.objects.filter(user=user, table__status=Table.Status.FINISHED).update(nonce="")

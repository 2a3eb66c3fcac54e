"""Events in lists, and one event as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from clubs.models import Club, User
from tournaments import stakes
from tournaments.models import Action, Draw, Entry, Payout, Round, Tournament
from tournaments.rules.prizes import row_for
from tournaments.selectors.places import prize_list

STATE = Tournament.State
PUBLIC = [STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING, STATE.FINISHED, STATE.ARCHIVED, STATE.CANCELLED]


@dataclass(frozen=True)
class Prize:
    """A prize as it is announced: its place, the percentage and, as far as it is known, the chips."""

    place: int
    share: int
    chips: int


def events(club: Club, *, drafts: bool = False) -> QuerySet[Tournament]:
    """Return the events of a club, newest first, with ``entered`` and ``waiting`` counted; drafts only for organisers."""
    rows = Tournament.objects.select_related("season") if drafts else _public()
    rows = rows.filter(club=club)
    entered = Count("entries", filter=Q(entries__status__in=[Entry.Status.ENTERED, Entry.Status.OUT]))
    waiting = Count("entries", filter=Q(entries__status=Entry.Status.WAITING))
    return rows.annotate(entered=entered, waiting=waiting).order_by("-created_at", "-pk")


def open_events(club: Club) -> QuerySet[Tournament]:
    """Return the events of a club that one can enter or that are being played."""
    return events(club).filter(state__in=[STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING])


def events_of(user: User) -> QuerySet[Tournament]:
    """Return the events in which a member has an entry or plays for somebody, newest first."""
    entries = Entry.objects.filter(Q(user=user) | Q(substitute=user))
    return _public().filter(pk__in=entries.values("tournament")).order_by("-created_at", "-pk")


def get_event(tournament_id: UUID | str) -> Tournament | None:
    """Return an event, ``None`` when there is none."""
    return Tournament.objects.select_related("season", "created_by", "club").filter(pk=tournament_id).first()


def entries_of(tournament: Tournament) -> list[Entry]:
    """Return all entries by number, with the people behind them."""
    rows = Entry.objects.filter(tournament=tournament).select_related("user", "substitute")
    return list(rows.order_by("number"))


def waiting_list(tournament: Tournament) -> list[Entry]:
    """Return who waits for a place, in the order in which places are given."""
    rows = Entry.objects.filter(tournament=tournament, status=Entry.Status.WAITING)
    return list(rows.select_related("user", "substitute").order_by("waiting_since", "number"))


def entry_for(tournament: Tournament, user: User) -> Entry | None:
    """Return the entry that a member has or plays for, ``None`` without one."""
    rows = Entry.objects.filter(tournament=tournament).filter(Q(user=user) | Q(substitute=user))
    return rows.select_related("user", "substitute").first()


def rounds_of(tournament: Tournament) -> list[Round]:
    """Return all rounds that are drawn, in order."""
    return list(Round.objects.filter(tournament=tournament).select_related("draw").order_by("number"))


def actions_of(tournament: Tournament) -> QuerySet[Action]:
    """Return the record of an event, newest first."""
    return Action.objects.filter(tournament=tournament).select_related("by").order_by("-number")


def announcement_of(tournament: Tournament) -> Action | None:
    """Return the action of the announcement that stands: ``after["text"]``; ``None`` when none does."""
    last = Action.objects.filter(tournament=tournament, kind="announced").order_by("-number").first()
    told: Any = last.after if last is not None else {}
    return last if told.get("text") else None


def draws_in_order(tournament: Tournament) -> list[Draw]:
    """Return all versions of the draw, oldest first."""
    return list(Draw.objects.filter(tournament=tournament).select_related("by").order_by("number"))


def payouts_of(tournament: Tournament) -> list[Payout]:
    """Return the payouts, newest first."""
    return list(Payout.objects.filter(tournament=tournament).order_by("-number"))


def prizes_of(tournament: Tournament) -> list[Prize]:
    """Return the prizes for those entered now who can win chips; chips are those of all their fees, at least the guarantee."""
    counted = [e for e in entries_of(tournament) if e.wins_chips and (e.counts or e.fee_paid or e.place)]
    pool = max(tournament.guaranteed, len(counted) * tournament.fee)
    if tournament.state in (STATE.RUNNING, STATE.FINISHED) and tournament.asset:
        pool = max(tournament.guaranteed, stakes.pool_of(tournament))
    paid = Payout.objects.filter(tournament=tournament, taken_back=False).first()
    if paid is not None:
        pool = paid.pool
    shares = row_for(tournament.prize_table, len(counted))
    amounts = prize_list(tournament, len(counted), pool)
    return [Prize(n, share, chips) for n, (share, chips) in enumerate(zip(shares, amounts, strict=True), 1)]


def _public() -> QuerySet[Tournament]:
    return Tournament.objects.filter(state__in=PUBLIC).select_related("season")

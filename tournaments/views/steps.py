"""What is next at an event: one sentence and one button for every state, and the other acts that are possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Entry, EventTable, Payout, Round, Tournament
from tournaments.views.acts import Act, Step, event_act, round_act

STATE = Tournament.State
RSTATE = Round.State


@dataclass(frozen=True)
class Situation:
    """What decides what is next: the rounds that are drawn, and of the one being played its tables by state, by number."""

    rounds: Sequence[Round]
    tables: dict[str, list[int]]
    left: int
    paid: bool

    @property
    def current(self) -> Round | None:
        """The first round that is not confirmed."""
        return next((row for row in self.rounds if row.state != RSTATE.CONFIRMED), None)

    @property
    def confirmed(self) -> int:
        """How many rounds are confirmed."""
        return sum(row.state == RSTATE.CONFIRMED for row in self.rounds)


def situation_of(tournament: Tournament, rounds: Sequence[Round]) -> Situation:
    """Return the situation of an event, in at most three queries."""
    tables: dict[str, list[int]] = {}
    playing = next((row for row in rounds if row.state == RSTATE.PLAYING), None)
    if playing is not None:
        states = EventTable.objects.filter(round=playing, take=playing.current or 0)
        for state, number in states.order_by("number").values_list("state", "number"):
            tables.setdefault(state, []).append(number)
    left = 0
    if tournament.eliminates:
        left = Entry.objects.filter(tournament=tournament, status=Entry.Status.ENTERED).count()
    paid = Payout.objects.filter(tournament=tournament, taken_back=False).exists()
    return Situation(rounds, tables, left, paid)


def next_step(tournament: Tournament, now: Situation) -> Step:
    """Return what the organiser does next."""
    before = {
        STATE.DRAFT: lambda: Step(
            _("The event is a draft that only organisers see. Check its terms, then open registration."),
            event_act(tournament, "open_registration"),
        ),
        STATE.REGISTRATION: lambda: _while_open(tournament),
        STATE.CHECK_IN: lambda: Step(
            _("Players check in. When everybody is there, start the event: who is missing loses the place."),
            event_act(tournament, "start"),
        ),
        STATE.RUNNING: lambda: _while_running(tournament, now),
        STATE.FINISHED: lambda: _after(tournament, now),
        STATE.ARCHIVED: lambda: _over(
            _("The event is archived. Everything stays readable here."), tournament
        ),
        STATE.CANCELLED: lambda: _over(_("The event is cancelled; entry fees went back."), tournament),
    }
    return before[STATE(tournament.state)]()


def news_of(tournament: Tournament, now: Situation) -> str:
    """Return how far the event is, in one sentence for everybody."""
    row = now.current
    if tournament.state != STATE.RUNNING:
        return {
            STATE.DRAFT: _("This event is a draft."),
            STATE.REGISTRATION: _("Registration is open."),
            STATE.CHECK_IN: _("Check-in is open: players say that they are there."),
            STATE.FINISHED: _("The event is over."),
            STATE.ARCHIVED: _("The event is over and archived."),
            STATE.CANCELLED: _("The event was cancelled."),
        }[STATE(tournament.state)]
    if row is not None and row.state == RSTATE.PLAYING:
        done, every = len(now.tables.get("done", ())), sum(map(len, now.tables.values()))
        told = _("Round %(n)d is being played. Tables that are done: %(done)d of %(every)d.")
        return told % {"n": row.number, "done": done, "every": every}
    if row is not None and row.state == RSTATE.COMPLETE:
        return _("All tables of round %(n)d are done; its results are being checked.") % {"n": row.number}
    if now.confirmed:
        return _("Round %(n)d is over. The next step is being prepared.") % {"n": now.confirmed}
    return _("The event has begun; round 1 is being prepared.")


def begins_at(rounds: Iterable[Round]) -> str:
    """Return when the next round opens by itself, empty without a time."""
    coming = next((row for row in rounds if row.current is None and row.opens_at is not None), None)
    if coming is None or coming.opens_at is None:
        return ""
    moment = timezone.localtime(coming.opens_at)
    when = f"{moment:%H:%M}"
    if moment.date() != timezone.localdate():
        when = date_format(moment, "DATETIME_FORMAT")
    return _("Round %(n)d begins at %(time)s.") % {"n": coming.number, "time": when}


def other_acts(tournament: Tournament, now: Situation) -> list[Act]:
    """Return everything else that the organiser may do with the whole event in its state."""
    names: list[str] = []
    if tournament.state == STATE.REGISTRATION:
        names = ["open_check_in", "start"]
    elif tournament.state == STATE.CHECK_IN:
        names = ["close_check_in"]
    elif tournament.state == STATE.RUNNING:
        row = now.current
        if row is not None and row.current is None:
            names = ["draw_again"]
        if now.confirmed and (row is None or row.current is None):
            names.append("finish_early")
    elif tournament.state == STATE.FINISHED:
        names = ["take_back"] if now.paid else []
        names.append("archive")
    elif tournament.state == STATE.ARCHIVED and now.paid:
        names = ["take_back"]
    if not tournament.is_over:
        names.append("cancel")
    first = next_step(tournament, now).act
    return [event_act(tournament, name) for name in names if first is None or first.name != name]


def round_acts(tournament: Tournament, row: Round, now: Situation, *, can_redo: bool) -> list[Act]:
    """Return everything that the organiser may do with one round."""
    if tournament.state != STATE.RUNNING:
        return []
    last = all(other.current is None for other in now.rounds if other.number > row.number)
    names = {
        RSTATE.DRAWN: ["confirm_draw"],
        RSTATE.FIXED: ["release", "loosen_draw"],
        RSTATE.PLAYING: [
            *(["clock_on" if row.paused_at else "clock"] if row.ends_at else []),
            *([] if tournament.thresholds else ["time"]),
            "unrelease",
        ],
        RSTATE.COMPLETE: ["confirm"],
        RSTATE.CONFIRMED: ["reopen"] if last else [],
    }[RSTATE(row.state)]
    if row.current is not None and last:
        names.append("undo")
    if can_redo:
        names.append("redo")
    return [round_act(tournament, row.number, name) for name in names]


def _while_open(tournament: Tournament) -> Step:
    if not Entry.objects.filter(tournament=tournament).exists():
        return Step(
            _("Nobody is entered yet. Players enter by themselves, or you write down their names."),
            None,
            reverse("tournaments:entries", args=[tournament.pk]),
            _("Enter players"),
        )
    if tournament.check_in_needed:
        return Step(
            _("Players register. When the evening begins, open check-in."),
            event_act(tournament, "open_check_in"),
        )
    return Step(
        _("Players register. When everybody is here, start the event."), event_act(tournament, "start")
    )


def _while_running(tournament: Tournament, now: Situation) -> Step:
    row = now.current
    open_round = row is not None and row.current is not None
    decided = tournament.eliminates and now.left <= 1 and now.confirmed and not open_round
    if decided or (row is None and now.confirmed >= tournament.rounds):
        return Step(
            _("All rounds are confirmed. Finish the event: the final places are written down."),
            event_act(tournament, "finish"),
        )
    if row is None:
        return Step(
            _("Draw round %(n)d. The draft is seen by organisers only.") % {"n": now.confirmed + 1},
            event_act(tournament, "draw"),
        )
    if row.state == RSTATE.DRAWN:
        return Step(
            _("Round %(n)d is drawn. Look at the draft, swap players if you must, then confirm the draw.")
            % {"n": row.number},
            round_act(tournament, row.number, "confirm_draw"),
        )
    if row.state == RSTATE.FIXED:
        return Step(
            _("The draw of round %(n)d is confirmed. Release it: players are told where they sit.")
            % {"n": row.number},
            round_act(tournament, row.number, "release"),
        )
    if row.state == RSTATE.COMPLETE:
        return Step(
            _("All tables of round %(n)d are done. Check the results, then confirm the round.")
            % {"n": row.number},
            round_act(tournament, row.number, "confirm"),
        )
    return _while_played(tournament, row, now)


def _while_played(tournament: Tournament, row: Round, now: Situation) -> Step:
    disputed = now.tables.get("disputed", [])
    if disputed:
        told = ngettext(
            "%(count)d table of round %(n)d is disputed. Look into it and decide.",
            "%(count)d tables of round %(n)d are disputed. Look into them and decide.",
            len(disputed),
        )
        table = reverse("tournaments:table", args=[tournament.pk, row.number, disputed[0]])
        look = _("Table %(n)d") % {"n": disputed[0]}
        return Step(told % {"count": len(disputed), "n": row.number}, None, table, look)
    address = reverse("tournaments:round", args=[tournament.pk, row.number])
    go = _("Tables of round %(n)d") % {"n": row.number}
    left = sum(len(numbers) for state, numbers in now.tables.items() if state != "done")
    told = ngettext(
        "Round %(n)d is being played: %(count)d table is not done yet.",
        "Round %(n)d is being played: %(count)d tables are not done yet.",
        left,
    )
    wait = "" if tournament.online else " " + _("Enter what is missing.")
    return Step(told % {"count": left, "n": row.number} + wait, None, address, go)


def _after(tournament: Tournament, now: Situation) -> Step:
    if (tournament.asset or tournament.guaranteed) and not now.paid:
        return Step(
            _("The event is over. Check the final table, then pay the prizes."), event_act(tournament, "pay")
        )
    return Step(
        _("The event is over. Archive it when nothing is left to correct."), event_act(tournament, "archive")
    )


def _over(sentence: str, tournament: Tournament) -> Step:
    link = reverse("tournaments:copy", args=[tournament.pk])
    return Step(sentence, None, link, _("Copy it for the next time"))

"""Prizes: paid in one transaction of the book, taken back as one."""

from __future__ import annotations

from uuid import UUID

from clubs.models import User
from tournaments import stakes
from tournaments.errors import EventRefusal
from tournaments.models import Action, Payout
from tournaments.selectors.places import prizes_for
from tournaments.services.fault_points import fault_point
from tournaments.services.locked import STATE, check_organiser, check_reason, locked_tournament


def pay_prizes(*, tournament_id: UUID, by: User) -> Payout:
    """Pay the prizes of a finished event: the pool, at least what is guaranteed, by places among people.

    Who ties shares; odd chips by lot from the event's seed (``rules.prizes``). Raises ``EventRefusal``
    (``not_organiser``, ``not_now``, ``paid_already``, ``no_prizes``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        tournament = locked.tournament
        locked.need(STATE.FINISHED, STATE.ARCHIVED)
        payouts = Payout.objects.filter(tournament=tournament)
        if payouts.filter(taken_back=False).exists():
            raise EventRefusal("paid_already")
        pool = max(stakes.pool_of(tournament), tournament.guaranteed)
        seed = locked.lot()
        places, awards = prizes_for(tournament, pool, seed=seed) if pool else ([], {})
        if not awards:
            raise EventRefusal("no_prizes")
        named = [(locked.entry(number), amount) for number, amount in sorted(awards.items())]
        transaction, moved = stakes.pay_prizes(tournament, named, locked.next_action)
        fault_point("payout.between")
        paid = Payout.objects.create(
            tournament=tournament,
            number=payouts.count() + 1,
            awards={str(number): amount for number, amount in awards.items()},
            places=[list(row) for row in places],
            pool=pool,
            seed=seed,
            transaction=transaction,
            at=locked.now,
        )
        fault_point("payout.after_row")
        after = {"payout": paid.number, "pool": pool, "awards": paid.awards}
        locked.log("prizes_paid", by=by, after=after, moved=moved)
        return paid


def take_prizes_back(*, tournament_id: UUID, by: User, reason: str) -> Payout:
    """Take a payout back as one, so that results can be corrected and prizes paid again.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``nothing_paid``, ``chips_spent``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        paid = Payout.objects.filter(tournament=locked.tournament, taken_back=False).first()
        if paid is None or paid.transaction is None:
            raise EventRefusal("nothing_paid")
        moved = _moved_by(paid)
        action = locked.next_action
        paid.reversed_by, back = stakes.take_prizes_back(
            locked.tournament, paid.transaction, moved, action, reason
        )
        fault_point("payout.between_back")
        paid.taken_back = True
        paid.save(update_fields=["reversed_by", "taken_back"])
        locked.log("prizes_taken_back", by=by, reason=reason, before={"payout": paid.number}, moved=back)
        return paid


def _moved_by(paid: Payout) -> list[dict[str, object]]:
    """Return what a payout moved, as its action notes it."""
    actions = Action.objects.filter(tournament=paid.tournament, kind="prizes_paid")
    action = actions.get(after__payout=paid.number)
    moved: list[dict[str, object]] = action.moved
    return moved

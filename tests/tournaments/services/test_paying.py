"""Prizes of events at the club, where not everybody has an account for chips."""

from __future__ import annotations

import pytest

from clubs.services import erase
from ledger import services as ledger
from ledger.selectors import balance
from ledger.services.verifying import verify
from tests.tournaments.events import event, members, released, treasurer, wallet_of
from tournaments import services
from tournaments.models import Entry, Tournament
from tournaments.selectors import prizes_of
from tournaments.selectors.field import tables_of
from tournaments.stakes import pool_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_heads")]


def test_a_guest_without_an_account_who_wins_does_not_block_the_prizes_of_the_others() -> None:
    """Once the whole payout was refused for ever, with the sentence about accounts for entry fees."""
    by, people = treasurer(), members(2)
    tournament = over(by, people)
    places = {entry.number: entry.place for entry in Entry.objects.all()}
    guests = Entry.objects.filter(user=None)
    assert 1 in {places[entry.number] for entry in guests}, "a guest has won"
    paid = services.pay_prizes(tournament_id=tournament.pk, by=by)
    first, second = sorted(people, key=lambda person: places[Entry.objects.get(user=person).number])
    assert [balance(wallet_of(person)) for person in (first, second)] == [60, 40]
    assert [prize.chips for prize in prizes_of(tournament)] == [60, 40]
    assert {str(entry.number) for entry in guests}.isdisjoint(paid.awards)
    assert verify(record=False).fault is None


def test_a_winner_whose_account_is_gone_does_not_block_the_prizes_of_the_others() -> None:
    by, people = treasurer(), members(2)
    tournament = over(by, people)
    better = Entry.objects.exclude(user=None).order_by("place").first()
    assert better is not None
    gone = better.user
    Entry.objects.filter(pk=better.pk).update(user=None)
    services.pay_prizes(tournament_id=tournament.pk, by=by)
    (left,) = [person for person in people if person != gone]
    assert balance(wallet_of(left)) == 100


def test_prizes_are_taken_back_from_a_winner_whose_account_was_erased_since() -> None:
    """The winner's wallet is closed: the results could never be corrected, and the desk answered with a fault."""
    by, people = treasurer(), members(2)
    tournament = over(by, people)
    first = services.pay_prizes(tournament_id=tournament.pk, by=by)
    better, other = sorted(people, key=lambda person: Entry.objects.get(user=person).place or 0)
    erase(user=better, gives_chips=True)
    services.take_prizes_back(tournament_id=tournament.pk, by=by, reason="a wrong result")
    assert balance(ledger.open_house_account(kind="suspense", asset="CHIPS")) == -60
    assert (balance(wallet_of(other)), pool_of(tournament)) == (0, 0)
    again = services.pay_prizes(tournament_id=tournament.pk, by=by)
    assert (first.number, again.number, balance(wallet_of(other))) == (1, 2, 100)
    assert verify(record=False).fault is None


def over(by, people) -> Tournament:
    """Play an event of one round with guests at the club in which the guests are best; it has no fee and guarantees 100."""
    ledger.create_asset(code="CHIPS")
    ledger.open_house_account(kind="mint", asset="CHIPS")
    tournament = event(
        by, rounds=1, asset="CHIPS", guaranteed=100, prizes={"1": [100], "2": [60, 40]}, seating="planned"
    )
    at = {"tournament_id": tournament.pk, "by": by}
    for person in people:
        services.register_by_hand(**at, user=person)
    for name in ("Guest", "Another guest"):
        services.register_by_hand(**at, name=name)
    services.start_tournament(**at)
    row = released(by, tournament, 1)
    (table,) = tables_of(row)
    guests = set(Entry.objects.filter(user=None).values_list("number", flat=True))
    scores = {player: 10 * n for n, player in enumerate(sorted(table.seats, key=lambda p: p not in guests))}
    services.enter_whole(**at, round_number=1, table_number=1, scores=scores)
    services.confirm_round(**at, round_number=1)
    return services.finish_tournament(**at)

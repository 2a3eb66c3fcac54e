from random import Random

import pytest

from tournaments.rules import rotation
from tournaments.rules.consolidation import FloorRules
from tournaments.rules.simulation.audit import DealAudit
from tournaments.rules.simulation.deals import source
from tournaments.rules.simulation.elimination import EliminationEvent, EliminationSetting
from tournaments.rules.simulation.rounds import RoundsEvent, RoundsSetting


def elimination(players, seed, *, real=False, **more):
    setting = EliminationSetting(
        players,
        FloorRules(ideal=5, seats=6, minimum=2, final=5),
        more.pop("thresholds", (50,)),
        source("least_score", real=real),
        **more,
    )
    return EliminationEvent(setting, seed).play()


def rounds(players, seed, *, game="least_score", real=False, **more):
    setting = {"size": 5, "rounds": 3, "orbits": 2, "swiss": False, **more}
    return RoundsEvent(RoundsSetting(players, source=source(game, real=real), **setting), seed).play()


@pytest.mark.parametrize("seed", range(15))
def test_an_elimination_plays_to_the_last_one_and_breaks_no_rule(seed):
    figures = elimination(10 + 3 * seed, seed, leave=0.005, late=3)
    audit = figures.audit
    assert audit.deals > 20
    assert (audit.skipped, audit.doubled, figures.over_tolerance, figures.unforced) == (0, 0, 0, 0)
    assert audit.spread <= 1 and audit.spread_at_end == 0
    players = [player for _, player in figures.places]
    assert len(set(players)) == len(players) >= 10 + 3 * seed
    assert figures.places[0][0] == 1
    for place, _ in figures.places:
        assert place == 1 + sum(other < place for other, _ in figures.places)


def test_thresholds_that_rise_from_round_to_round():
    figures = elimination(23, 4, thresholds=(25, 50, 100))
    assert len(figures.places) == 25 and figures.audit.skipped == 0


@pytest.mark.parametrize("game", ["least_score", "three_card_loo"])
@pytest.mark.parametrize("swiss", [False, True])
def test_rounds_with_leavers_and_latecomers_keep_deals_equal(game, swiss):
    left = 0
    for seed in range(4):
        figures = rounds(23, seed, game=game, swiss=swiss, leave=0.01, late=1.0)
        audit = figures.audit
        assert (audit.skipped, audit.doubled, figures.unequal) == (0, 0, 0)
        assert audit.spread <= 1 and audit.spread_at_end == 0
        left += figures.leavers + figures.latecomers
    assert left > 5


def test_undisturbed_events_have_fair_seats_and_visits():
    equal = rounds(25, 1, leave=0.0, late=0.0, rounds=4)
    assert equal.undisturbed and equal.seat_spread <= 1 and equal.larger_spread == 0
    unequal = rounds(23, 1, leave=0.0, late=0.0, rounds=4)
    assert unequal.larger_spread <= 1


def test_the_same_seed_plays_the_same_event():
    assert elimination(23, 8).log == elimination(23, 8).log
    assert elimination(23, 8).log != elimination(23, 9).log
    assert rounds(17, 8, leave=0.01).log == rounds(17, 8, leave=0.01).log


def test_the_real_rules_can_be_played():
    assert elimination(9, 1, real=True).places[0][0] == 1
    assert rounds(12, 1, game="three_card_loo", real=True, rounds=1, orbits=1, size=6).audit.deals == 12


@pytest.mark.parametrize("real", [False, True])
def test_loo_scores_and_the_pot_add_up(real):
    loo, rng, pot = source("three_card_loo", real=real), Random(3), 0
    for deal in range(20):
        scores, left = loo.play((1, 2, 3, 4, 5), 1 + deal % 5, pot, rng)
        assert sum(scores.values()) + left == pot
        pot = left


def test_the_audit_sees_a_doubled_and_a_skipped_deal():
    audit = DealAudit()
    audit.open(1, (1, 2, 3))
    for dealer in (1, 2, 2):
        audit.dealt(1, dealer, (1, 2, 3))
    audit.orbit_ended(1, (1, 2, 3), (1, 2, 3))
    assert (audit.doubled, audit.skipped, audit.spread, audit.spread_at_end) == (1, 1, 2, 2)


def test_the_audit_notices_a_rotation_that_gives_an_empty_seat_its_turn(monkeypatch):
    # A knocked-out dealer's successor is passed over: the fault the audit is there to find.
    honest = rotation.finish_deal

    def faulty(table, *, knocked_out=()):
        after = honest(table, knocked_out=knocked_out)
        if knocked_out and len(after.due) > 1:
            first = rotation.deal_order(after)[0]
            return rotation.replace(after, due=after.due - {first})
        return after

    monkeypatch.setattr(rotation, "finish_deal", faulty)
    assert sum(elimination(23, seed).audit.skipped for seed in range(3)) > 0


def test_the_audit_notices_a_mover_who_deals_twice_in_an_orbit(monkeypatch):
    honest = rotation.move_in
    monkeypatch.setattr(
        rotation, "move_in", lambda table, player, seat, *, due: honest(table, player, seat, due=True)
    )
    assert sum(elimination(33, seed).audit.doubled for seed in range(6)) > 0

"""The three commands of tournaments; none needs a database."""

import json
import time
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tournaments.management.commands import make_catalogue
from tournaments.rules import catalogue, recipes
from tournaments.rules.meetings import measure


def run(name, *arguments):
    out = StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def test_draw_prints_rounds_and_certificate_as_json():
    answer = json.loads(run("draw", "--players=24", "--size=4", "--rounds=7", "--seed=1", "--json"))
    assert len(answer["rounds"]) == 7
    assert all(sorted(p for table in one for p in table) == list(range(1, 25)) for one in answer["rounds"])
    assert answer["q"] == 0 == measure(answer["rounds"], range(1, 25)).q
    assert answer["bounds"] == {"pairs": 0, "rounds": 0, "visits": 0}
    assert answer["optimal"] is True and answer["method"] == "catalogue" and answer["seed"] == 1
    assert answer["seat_spread"] <= 1 and answer["seconds"] < 60


def test_draw_prints_a_text_to_read():
    text = run("draw", "--players=17", "--size=4", "--rounds=2", "--min=4", "--max=4", "--apart=1,2")
    assert "Round 2" in text and "sits out" in text and "no draw has fewer" in text


def test_pairs_that_must_meet_are_told():
    assert "kept apart meet" in run("draw", "--players=4", "--size=4", "--rounds=1", "--apart=1,2")
    answer = json.loads(run("draw", "--players=4", "--size=4", "--rounds=1", "--apart=1,2", "--json"))
    assert answer["apart_met"] == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--players=1", "--size=4", "--rounds=3"), "at least 2"),
        (("--players=1000", "--size=4", "--rounds=3"), "at most 256"),
        (("--players=-5", "--size=4", "--rounds=3"), "not -5"),
        (("--players=99999999999999", "--size=4", "--rounds=3"), "at most 256"),
        (("--players=24", "--size=4", "--rounds=0"), "rounds"),
        (("--players=24", "--size=4", "--rounds=99999999"), "rounds"),
        (("--players=24", "--size=400", "--rounds=3"), "sizes"),
        (("--players=24", "--size=-4", "--rounds=3"), "sizes"),
        (("--players=3", "--size=4", "--rounds=3", "--min=4"), "cannot be split"),
        (("--players=24", "--size=4", "--rounds=3", "--apart=1"), "I,J"),
        (("--players=24", "--size=4", "--rounds=3", "--apart=1,25"), "I,J"),
        (("--players=24", "--size=4", "--rounds=3", "--apart=7,7"), "I,J"),
        (("--players=24", "--size=4", "--rounds=3", "--budget=0"), "--budget"),
    ],
)
def test_bad_input_gets_a_clear_message_and_exit_2_at_once(arguments, word):
    started = time.monotonic()
    with pytest.raises(CommandError) as refusal:
        run("draw", *arguments)
    assert refusal.value.returncode == 2
    assert word in str(refusal.value)
    assert time.monotonic() - started < 60, "what is refused is not tried first"


def test_a_draw_keeps_its_time_limit():
    answer = json.loads(
        run(
            "draw",
            "--players=200",
            "--size=5",
            "--rounds=20",
            "--budget=1000000000",
            "--seconds=0.01",
            "--json",
        )
    )
    assert answer["stopped"] == "deadline" and len(answer["rounds"]) == 20


@pytest.mark.parametrize("format_", ["planned", "swiss", "elimination"])
def test_simulations_print_figures_and_repeat_themselves(format_):
    arguments = (f"--format={format_}", "--players=17", "--seed=5", "--events=2", "--json")
    first, second = (
        json.loads(run("simulate_tournaments", *arguments)),
        json.loads(run("simulate_tournaments", *arguments)),
    )
    assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert first["skipped_deals"] == first["doubled_deals"] == first["replay_differences"] == 0
    assert first["deals"] > 30 and first["replayed"] == 1
    assert "doubled deals: 0" in run("simulate_tournaments", *arguments[:-2], "--events=1")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--players=1", "--events=1"),
        ("--players=1000", "--events=1"),
        ("--players=20", "--events=0"),
        ("--players=20", "--events=1", "--thresholds=a"),
        ("--players=20", "--events=1", "--size=1"),
    ],
)
def test_simulations_refuse_bad_numbers(arguments):
    with pytest.raises(CommandError) as refusal:
        run("simulate_tournaments", "--format=elimination", *arguments)
    assert refusal.value.returncode == 2


def test_an_unfair_simulation_fails(monkeypatch):
    from tournaments.rules.simulation.audit import DealAudit

    honest = DealAudit.dealt

    def faulty(self, *arguments):
        honest(self, *arguments)
        self.doubled += 1

    monkeypatch.setattr(DealAudit, "dealt", faulty)
    with pytest.raises(CommandError) as refusal:
        run("simulate_tournaments", "--format=planned", "--players=12", "--events=1")
    assert refusal.value.returncode == 1 and "doubled_deals" in str(refusal.value)


def test_make_catalogue_checks_the_shipped_file():
    assert f"{len(catalogue.load())} entries checked" in run("make_catalogue", "--check")


def test_make_catalogue_writes_what_is_shipped(tmp_path):
    path = tmp_path / "catalogue.txt"
    text = run("make_catalogue", "--only=24x6x7", f"--to={path}")
    assert "24x6x7: Q 0" in text and "as shipped" in text and "NOT" not in text
    assert catalogue.parse(path.read_text()) == catalogue.load()


def test_make_catalogue_finds_a_wrong_entry(monkeypatch):
    first, *others = catalogue.load()
    wrong = catalogue.Entry(first.players, first.tables, 7, first.recipe, first.rows)
    monkeypatch.setattr(catalogue, "load", lambda: (wrong, *others))
    with pytest.raises(CommandError, match="Q is 0, not 7"):
        run("make_catalogue", "--check")


def test_make_catalogue_keeps_what_was_made_when_it_is_stopped(tmp_path, monkeypatch):
    path = tmp_path / "catalogue.txt"
    quick = next(recipe for recipe in recipes.RECIPES if recipe.text.startswith("starter 7"))
    monkeypatch.setattr(make_catalogue, "RECIPES", (quick, replace(quick, text="nonsense")))
    monkeypatch.setattr(catalogue, "load", tuple)
    with pytest.raises(ValueError, match="unknown kind"):
        run("make_catalogue", f"--to={path}")
    assert [entry.recipe for entry in catalogue.parse(path.read_text())] == [quick.text]

import pytest

from tournaments.rules import catalogue
from tournaments.rules.catalogue import Entry, check, dump, larger_first, parse, to_rounds
from tournaments.rules.meetings import count_meetings
from tournaments.rules.recipes import RECIPES, Recipe, make

SHIPPED = catalogue.load()
NO_REPEAT = [(24, 6, 7), (28, 7, 9), (32, 8, 10), (36, 9, 11), (40, 10, 13), (30, 6, 6)]


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda e: f"{e.players}x{e.tables}x{e.rounds}")
def test_every_entry_is_what_it_claims(entry):
    assert check(entry) is None


def test_every_entry_has_its_recipe_and_every_recipe_its_entry():
    made = [(entry.players, entry.tables, entry.rounds, entry.recipe) for entry in SHIPPED]
    assert made == [(recipe.players, recipe.tables, recipe.rounds, recipe.text) for recipe in RECIPES]


@pytest.mark.parametrize("numbers", NO_REPEAT)
def test_the_famous_ones_have_no_repeat(numbers):
    (entry,) = [e for e in SHIPPED if (e.players, e.tables, e.rounds) == numbers]
    assert entry.q == 0
    assert max(count_meetings(to_rounds(entry.rows, tuple(range(entry.players)))).values()) == 1


@pytest.mark.parametrize("recipe", [r for r in RECIPES if r.text.startswith("starter")], ids=str)
def test_a_starter_made_again_is_the_shipped_entry(recipe):
    (entry,) = [
        e
        for e in SHIPPED
        if (e.players, e.tables, e.rounds) == (recipe.players, recipe.tables, recipe.rounds)
    ]
    assert make(recipe, ()) == entry


def test_a_search_made_again_is_the_same():
    recipe = Recipe(13, 3, 3, "search 5 30000")
    assert make(recipe, ()) == make(recipe, ())


def test_the_text_can_be_read_back():
    assert parse(dump(SHIPPED)) == SHIPPED


GOOD = Entry(4, 2, 0, "by hand", ((0, 0, 1, 1), (0, 1, 0, 1)))


@pytest.mark.parametrize(
    ("rows", "q", "fault"),
    [
        (((0, 0, 1, 1), (0, 1, 0, 1)), 1, "Q is 0"),
        (((0, 0, 0, 1), (0, 1, 0, 1)), 0, "round 1"),
        (((0, 0, 1, 1), (0, 1, 0)), 0, "round 2"),
        (((0, 0, 1, 1), (0, 0, 1, 1)), 0, "Q is 2"),
    ],
)
def test_a_wrong_entry_is_found(rows, q, fault):
    assert check(GOOD) is None
    assert fault in check(Entry(4, 2, q, "by hand", rows))


def test_unfair_visits_to_larger_tables_are_found():
    assert "visits" in check(Entry(5, 2, 4, "by hand", ((0, 0, 0, 1, 1),) * 2))


def test_an_unknown_recipe_is_refused():
    with pytest.raises(ValueError):
        make(Recipe(24, 6, 7, "guess 1"), ())
    with pytest.raises(ValueError):
        make(Recipe(24, 6, 8, "starter 7 120 120 1 1 1"), ())


def test_tables_are_renumbered_larger_first_and_absent_players_stay_absent():
    assert larger_first([[2, 1, 1, -1]]) == [[1, 0, 0, -1]]
    assert to_rounds([[1, 0, 0, -1]], (7, 8, 9, 5)) == (((8, 9), (7,)),)

"""Lessons: every step is legal by the real rules, every other choice has its answer, and where one was is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, User
from clubs.services import create_guest
from games import services
from games.errors import MESSAGES, TableRefusal
from games.lessons import LESSONS, count_steps, tell
from games.models import LessonProgress
from games.rules import GAMES
from games.rules.cards import PACK
from games.selectors.people import everything_about
from games.services import people
from tests.games.tables import member

TAUGHT = {
    "three_card_loo": {
        *("must_follow", "must_head", "must_trump", "must_lead_trump", "may_not_fold", "miss_taken"),
        "cannot_defend",
    },
    "least_score": {"first_turn"},
}
"""The refusals that a learner can meet in each lesson: what the rules forbid at its decisions."""


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_lesson_is_a_whole_deal_by_the_rules_and_answers_every_choice(game: str) -> None:
    steps = tell(game, LESSONS[game], "Mari")["steps"]
    assert len(steps) == count_steps(LESSONS[game])
    met: set[str] = set()
    for step in steps:
        deal, you = step["frames"][-1]["deal"], step["table"]["you"]
        assert step["say"]
        if step["ask"]:
            assert deal["turn"] == you
            assert {*step["ask"], *step["instead"]} == set(deal["legal"]), step["say"]
            met |= set(deal["refused"].values())
            # Only who may defend has a button for it: nobody is refused that.
            assert set(deal["refused"].values()) - {"cannot_defend"} == set(step["why"]), step["say"]
    assert met == TAUGHT[game]
    scenes = {step["scene"]: step["frames"][-1]["deal"] for step in steps}
    assert all(deal["outcome"] for deal in scenes.values()), "every scene ends with its settlement"


def test_the_first_deal_of_loo_settles_as_its_last_sentence_says() -> None:
    steps = tell("three_card_loo", LESSONS["three_card_loo"], "Mari")["steps"]
    played, defended = (steps[at]["frames"][-1]["deal"]["outcome"] for at in (11, 19))
    assert played["deltas"] == {"1": -3, "2": 2, "3": 1, "4": 0, "5": -3}
    assert (played["looed"], played["pot"]) == ([1], 3)
    assert defended["deltas"] == {"1": 3, "2": 0, "3": -3, "4": 0, "5": 0}
    assert (defended["looed"], defended["pot"]) == ([], 6)


def test_a_learner_is_shown_what_a_player_would_see_and_no_more() -> None:
    for game, scenes in LESSONS.items():
        for step in tell(game, scenes, "Mari")["steps"]:
            for frame in step["frames"]:
                if frame["deal"]["outcome"] is None:
                    seen = json.dumps(frame)
                    hidden = [card for card in PACK if f'"{card}"' not in seen]
                    assert len(hidden) >= 20, "a view of a running deal names its own cards and the open ones"


def test_a_lesson_needs_no_account_and_leaves_nobody_behind(client: Client, db: None) -> None:
    for game in GAMES:
        page = client.get(reverse("games:lesson", args=[game]))
        assert page.status_code == 200
        assert b'id="lesson"' in page.content
        assert client.post(reverse("games:lesson_step", args=[game]), {"step": "2"}).status_code == 302
    assert client.get(reverse("games:learn")).status_code == 200
    assert client.get(reverse("games:lesson", args=["whist"])).status_code == 404
    assert not User.objects.exists()


@pytest.fixture
def learner(client: Client, db: None) -> User:
    found = member("mari")
    client.force_login(found)
    return found


def kept(learner: User) -> tuple[int, bool]:
    row = LessonProgress.objects.get(user=learner, game="least_score")
    return row.step, row.finished_at is not None


def test_a_lesson_is_found_again_where_it_was_left(client: Client, learner: User) -> None:
    address = reverse("games:lesson_step", args=["least_score"])
    last = count_steps(LESSONS["least_score"])
    assert client.post(address, {"step": "4"}).status_code == 204
    assert b'data-kept="4"' in client.get(reverse("games:lesson", args=["least_score"])).content
    assert "You were at step 4 of 13." in client.get(reverse("games:learn")).content.decode()
    assert client.post(address, {"step": str(last)}).status_code == 204
    assert kept(learner) == (last, True)
    assert b'data-kept="1"' in client.get(reverse("games:lesson", args=["least_score"])).content
    assert client.post(address, {"step": "2"}).status_code == 204
    assert kept(learner) == (2, True), "what is finished stays finished"


def test_lessons_go_along_with_a_guest_and_away_with_who_is_erased(learner: User) -> None:
    guest = create_guest(language="et")
    for game, step in (("least_score", 5), ("three_card_loo", 7)):
        services.note_lesson_step(user_id=guest.pk, game=game, step=step)
    services.note_lesson_step(user_id=learner.pk, game="least_score", step=2)
    people.take_over_seats(guest=guest, member=learner)
    told = {row["game"]: row["step"] for row in everything_about(learner)["lessons"]}
    assert told == {"least_score": 2, "three_card_loo": 7}, (
        "what the member learnt already is not overwritten"
    )
    people.forget_person(user=learner)
    assert not LessonProgress.objects.filter(user=learner).exists()


@pytest.mark.parametrize("step", ["", "0", "14", "-1", "x", "99999999999999"])
def test_a_step_that_no_lesson_has_is_refused(client: Client, learner: User, step: str) -> None:
    answer = client.post(reverse("games:lesson_step", args=["least_score"]), {"step": step})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_lesson_step")
    assert answer.json()["message"] == MESSAGES["bad_lesson_step"]
    with pytest.raises(TableRefusal):
        services.note_lesson_step(user_id=learner.pk, game="whist", step=1)
    assert not LessonProgress.objects.exists()


@pytest.mark.django_db
def test_the_rules_name_the_options_of_the_table_one_came_from(client: Client) -> None:
    from tests.games.tables import open_table

    table = open_table("three_card_loo", loo=6)
    address = reverse("games:rules", args=["three_card_loo"])
    assert "being looed costs 6 stakes" in client.get(address, {"table": str(table.pk)}).content.decode()
    Club.objects.filter(pk=table.club_id).update(welcomes_guests=False)
    closed = client.get(address, {"table": str(table.pk)}).content.decode()
    assert "At your table" not in closed, "a club that is closed to others tells them nothing of its tables"
    Club.objects.filter(pk=table.club_id).update(welcomes_guests=True)
    for other in ({}, {"table": "x"}, {"table": "5b2a1a4e-0000-4000-8000-000000000001"}):
        assert "At your table" not in client.get(address, other).content.decode()
    least: dict[str, Any] = {"table": str(table.pk)}
    assert (
        "At your table"
        not in client.get(reverse("games:rules", args=["least_score"]), least).content.decode()
    )


def test_the_glossary_has_every_term_in_both_languages(client: Client, db: None) -> None:
    page = client.get(reverse("games:glossary")).content.decode()
    for code in ("et", "en"):
        assert page.count(f'lang="{code}">') >= 30

"""Whatever is sent to the pages of events, the answer comes at once and says what to do: no fault, nothing written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from clubs.models import User
from tests.tournaments.events import enter_all, event, members, released, with_players
from tests.tournaments.services.refusals import refused
from tournaments import services
from tournaments.models import Action, Entry, Round, Tournament
from tournaments.views.entries import ENTRY_ACTS, LIST_ACTS
from tournaments.views.event import OWN_ACTS
from tournaments.views.organising import EVENT_ACTS
from tournaments.views.rounds import ROUND_ACTS
from tournaments.views.table_acts import TABLE_ACTS

pytestmark = pytest.mark.django_db

HUGE = 10**20
JUNK = ["", "-1", str(HUGE), "٣", "x" * 5_000]
SAID = (
    *("reason", "name", "names", "username", "text", "level", "first", "second", "minutes", "opens_at"),
    *(
        "deal",
        "declarer",
        "one",
        "other",
        "sheet",
        "strike",
        "early",
        "total-1",
        "total-2",
        "score-1",
        "page",
    ),
)


def acts(tournament: Tournament) -> Iterator[str]:
    """Yield every address to which something can be sent."""
    at = f"/events/{tournament.pk}/"
    yield from (f"{at}rounds/1/do/{name}/" for name in ROUND_ACTS)
    yield from (f"{at}rounds/1/tables/1/do/{name}/" for name in TABLE_ACTS)
    yield from (f"{at}players/{name}/" for name in (*LIST_ACTS, "import"))
    yield from (f"{at}players/1/{name}/" for name in ENTRY_ACTS)
    yield from (f"{at}me/{name}/" for name in OWN_ACTS)
    yield from (f"{at}rounds/2/draft/", f"{at}draw/1/use/", f"{at}terms/", f"{at}copy/", "/events/new/")
    yield "/events/seasons/"
    yield from (f"{at}do/{name}/" for name in EVENT_ACTS)  # Last, since one of them calls the event off.


@pytest.mark.parametrize("junk", ["-1", str(HUGE), "x" * 5_000], ids=lambda junk: junk[:6])
def test_no_field_of_any_form_can_break_a_page(desk: Client, olga: User, junk: str) -> None:
    tournament = with_players(olga, 7, rounds=2)
    released(olga, tournament, 1)
    for path in acts(tournament):
        answer = desk.post(path, dict.fromkeys(SAID, junk))
        assert answer.status_code in (200, 302, 404, 422), path


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: ascii(junk)[:12])
def test_no_question_to_a_page_can_break_it(desk: Client, olga: User, junk: str) -> None:
    tournament = with_players(olga, 7, rounds=1)
    released(olga, tournament, 1)
    enter_all(olga, tournament, 1)
    asked = dict.fromkeys(
        (
            "find",
            "show",
            "page",
            "since",
            "correct",
            "preset",
            "game",
            "one",
            "other",
            "month",
            "state",
            "round",
        ),
        junk,
    )
    at = f"/events/{tournament.pk}/"
    for path in ("/events/", "/events/new/", "/events/calendar/", "/events/mine/", "/events/seasons/"):
        assert desk.get(path, asked).status_code == 200, path
    for path in (
        "",
        "players/",
        "rounds/",
        "rounds/1/",
        "rounds/1/tables/1/",
        "standings/",
        "draw/",
        "record/",
    ):
        assert desk.get(at + path, asked, follow=True).status_code == 200, path
    for path in (
        "me/",
        "desk/",
        "terms/",
        "copy/",
        "draw/check/",
        "dealers/",
        "replays/",
        "screen/",
        "print/",
    ):
        assert desk.get(at + path, asked).status_code == 200, path


def test_a_number_larger_than_any_column_is_not_found(desk: Client, olga: User) -> None:
    tournament = with_players(olga, 4, rounds=1)
    released(olga, tournament, 1)
    at = f"/events/{tournament.pk}/"
    for path in (
        *(f"rounds/{HUGE}/", f"rounds/{HUGE}/draft/", f"rounds/{HUGE}/tables/1/", f"rounds/1/tables/{HUGE}/"),
        *(f"players/{HUGE}/", f"rounds/{HUGE}/print/cards/"),
    ):
        assert desk.get(at + path).status_code == 404, path
    for path in (
        *(f"rounds/{HUGE}/do/confirm/", f"rounds/{HUGE}/tables/1/do/enter/", f"players/{HUGE}/check_in/"),
        *(f"rounds/1/tables/{HUGE}/do/confirm/", f"draw/{HUGE}/use/", f"rounds/{HUGE}/draft/"),
    ):
        assert desk.post(at + path, {"reason": "x", "deal": "1"}).status_code in (302, 404, 422), path
    for path in (f"/events/seasons/{HUGE}/", f"/events/seasons/{HUGE}/put/"):
        assert desk.get(path).status_code in (404, 405), path


@pytest.mark.parametrize(
    ("count", "sizes", "sentence"),
    [
        (0, (3, 4, 5), "too few players"),
        (1, (3, 4, 5), "too few players"),
        (2, (3, 4, 5), "too few players"),
        (5, (6, 6, 6), "too few players"),
    ],
)
def test_a_start_with_wrong_numbers_says_so_on_the_desk(
    desk: Client, olga: User, count: int, sizes: tuple[int, int, int], sentence: str
) -> None:
    tournament = event(olga, **dict(zip(("size_min", "size_ideal", "size_max"), sizes, strict=True)))
    for n in range(count):
        services.register_by_hand(tournament_id=tournament.pk, by=olga, name=f"Guest {n}")
    answer = desk.post(f"/events/{tournament.pk}/do/start/")
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.REGISTRATION


def test_a_thousand_names_in_a_paste_are_told_at_once_in_the_look_before_and_in_the_entry(
    desk: Client, olga: User
) -> None:
    tournament = event(olga)
    text = "\n".join(f"Guest {n}" for n in range(1_000))
    for press in ("preview", "enter"):
        answer = desk.post(f"/events/{tournament.pk}/players/import/", {"text": text, press: "1"})
        assert "at most 256 players" in answer.content.decode(), press
    answer = desk.post(
        f"/events/{tournament.pk}/players/import/", {"text": f"{text}\none more", "preview": "1"}
    )
    assert answer.status_code == 422 and "1,000 lines" in answer.content.decode()
    assert not Entry.objects.exists()


def test_256_play_and_the_next_one_is_told_that_they_are_too_many(desk: Client, olga: User) -> None:
    tournament = event(olga, rounds=3)
    text = "\n".join(f"Guest {n}" for n in range(256))
    services.import_entries(tournament_id=tournament.pk, by=olga, text=text)
    more = {"tournament_id": tournament.pk, "by": olga, "name": "One more"}
    assert refused(services.register_by_hand, **more) == "too_many_players"
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    assert desk.post(f"/events/{tournament.pk}/do/draw/").status_code == 302
    assert [len(row.drawn_tables) for row in Round.objects.order_by("number")] == [64, 64, 64]


def test_a_thousand_bots_are_refused_as_one(olga: User) -> None:
    tournament = event(olga, venue="online", bots_allowed=True)
    names = [f"Bot {n}" for n in range(1_000)]
    wanted = {"tournament_id": tournament.pk, "by": olga, "level": "random", "names": names}
    assert refused(services.add_bots, **wanted) == "too_many_players"
    assert not Entry.objects.exists()


def test_when_all_withdraw_in_mid_round_the_round_ends_and_nobody_is_drawn_again(
    desk: Client, olga: User
) -> None:
    tournament = with_players(olga, 4, rounds=2)
    released(olga, tournament, 1)
    for number in range(1, 5):
        services.withdraw(tournament_id=tournament.pk, by=olga, number=number)
    enter_all(olga, tournament, 1)
    services.confirm_round(tournament_id=tournament.pk, by=olga, round_number=1)
    answer = desk.post(f"/events/{tournament.pk}/do/draw/")
    assert answer.status_code == 422 and "everybody has withdrawn" in answer.content.decode()
    early = desk.post(f"/events/{tournament.pk}/do/finish_early/", {"reason": "nobody is left"})
    assert early.status_code == 302
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED


def test_one_who_is_left_is_not_drawn_alone(olga: User) -> None:
    tournament = with_players(olga, 4, rounds=1)
    for number in (1, 2, 3):
        services.withdraw(tournament_id=tournament.pk, by=olga, number=number)
    assert refused(services.draw, tournament_id=tournament.pk, by=olga) == "too_few_players"


def test_doubles_are_refused_whichever_way_they_come(olga: User) -> None:
    (mari,) = members(1)
    tournament = event(olga)
    at: dict[str, Any] = {"tournament_id": tournament.pk}
    services.register(**at, user=mari)
    services.register_by_hand(**at, by=olga, name="Guest")
    assert refused(services.register, **at, user=mari) == "already_entered"
    assert refused(services.register_by_hand, **at, by=olga, user=mari) == "already_entered"
    assert refused(services.register_by_hand, **at, by=olga, name="  guest ") == "name_taken"
    assert refused(services.register_by_hand, **at, by=olga, name=mari.shown_name.upper()) == "name_taken"
    for text in ("Anna\nanna", "username\nmember1", "Guest"):
        assert refused(services.import_entries, **at, by=olga, text=text) in ("name_taken", "already_entered")
    assert Entry.objects.count() == 2


def test_what_cannot_be_in_this_state_is_refused_with_its_own_sentence(olga: User) -> None:
    tournament = with_players(olga, 4, rounds=1)
    at: dict[str, Any] = {"tournament_id": tournament.pk}
    (stranger,) = members(1)
    assert refused(services.register, **at, user=stranger) == "too_late_to_enter"
    assert refused(services.return_entry, **at, by=olga, number=1) == "still_in"
    assert refused(services.confirm_round, **at, by=olga, round_number=9) == "no_such_round"
    assert refused(services.take_prizes_back, **at, by=olga, reason="x") == "nothing_paid"
    released(olga, tournament, 1)
    enter_all(olga, tournament, 1)
    take_back = {**at, "by": olga, "round_number": 1, "reason": "x"}
    assert refused(services.unrelease_round, **take_back) in ("results_there", "not_released")
    services.confirm_round(**at, by=olga, round_number=1)
    services.finish_tournament(**at, by=olga)
    assert refused(services.pay_prizes, **at, by=olga) == "no_prizes"
    assert refused(services.register, **at, user=stranger) == "not_open"
    assert Action.objects.filter(tournament=tournament, kind="entered").count() == 4

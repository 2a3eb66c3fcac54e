"""Pages of ratings: the leaderboard, one person's rating match by match, what a match brought; and who may see them."""

from __future__ import annotations

import datetime as dt
import re
from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import FIRST_CLUB, Membership, User
from games.charts import HEIGHT, WIDTH, curve
from games.models import Rating, Table
from games.selectors.leaderboard import PAGE
from tests.games.tables import member, play_to_the_end
from tests.games.test_ratings import people, rated, report

pytestmark = pytest.mark.django_db

BOARD = "/ratings/least_score/"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def evening(*players: User) -> None:
    """A result in which each came before the next, today."""
    report(
        f"evening/{players[0].pk}", *((user, n) for n, user in enumerate(players, start=1)), at=timezone.now()
    )


def names_on(page: str) -> list[str]:
    """The names in the leaderboard in their order."""
    body = page.split('class="plain leaderboard"')[1].split("</table>")[0] if "leaderboard" in page else ""
    return [re.sub(r"<.*?>", "", cell).split()[0] for cell in re.findall(r'<th scope="row">(.*?)</th>', body)]


def page_of(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def test_the_best_stand_first_with_their_place_and_what_is_not_settled_is_marked() -> None:
    players = people(4)
    evening(*players)
    page = page_of(Client(), BOARD)
    assert names_on(page) == [user.username for user in players]
    assert page.count('<span class="provisional"') == 4
    assert page_of(Client(), "/ratings/") and "No" not in names_on(page)
    page_of(Client(), "/ratings/poker/", 404)


def test_equal_ratings_share_a_place() -> None:
    mari, jaan, liis = people(3)
    report("draw", (mari, 1), (jaan, 1), (liis, 3), at=timezone.now())
    page = page_of(Client(), BOARD)
    assert re.findall(r'<td class="number">(\d)\.</td>', page) == ["1", "1", "3"]


@pytest.mark.parametrize(
    "change",
    [
        {"on_leaderboards": False},
        {"is_active": False},
        {"is_active": False, "erased_at": timezone.now(), "name_key": "", "display_name": "", "email": ""},
    ],
)
def test_who_does_not_want_to_be_listed_or_is_gone_is_not(change: dict[str, object]) -> None:
    mari, jaan = people(2)
    evening(mari, jaan)
    User.objects.filter(pk=mari.pk).update(**change)
    page = page_of(Client(), BOARD)
    assert names_on(page) == ["player2"]
    assert '<td class="number">1.</td>' in page, "nothing tells that somebody stands above"
    page_of(Client(), f"{BOARD}{mari.pk}/", 404)


def test_who_has_not_played_for_a_year_is_not_listed_and_keeps_the_rating() -> None:
    mari, jaan = people(2)
    evening(mari, jaan)
    Rating.objects.filter(user=mari).update(last_at=timezone.now() - dt.timedelta(days=366))
    assert names_on(page_of(Client(), BOARD)) == ["player2"]
    assert "own-rating" in page_of(signed_in(mari), BOARD)


def test_the_own_line_is_seen_on_every_page_even_when_nobody_else_sees_it() -> None:
    players = [member(f"member{n:03}") for n in range(PAGE + 5)]
    evening(*players)
    client = signed_in(players[0])
    second = page_of(client, f"{BOARD}?page=2")
    assert names_on(second) == [user.username for user in players[PAGE:]]
    assert "You are in place 1 with" in second
    assert names_on(page_of(client, f"{BOARD}?page=99")) == names_on(second)
    assert len(names_on(page_of(client, f"{BOARD}?page=x"))) == PAGE
    User.objects.filter(pk=players[0].pk).update(on_leaderboards=False)
    assert "Others do not see you on this list." in page_of(client, BOARD)


def test_a_leaderboard_costs_the_same_queries_however_many_are_on_it() -> None:
    players = people(30)
    for user in players:
        Membership.objects.update_or_create(club_id=FIRST_CLUB, user=user)
    evening(*players[:2])
    client, counts = signed_in(players[0]), []
    for _ in range(2):
        with CaptureQueriesContext(connection) as caught:
            page_of(client, BOARD)
        counts.append(len(caught))
        evening(*players[2:])
    assert counts[1] <= counts[0] <= 24


@pytest.mark.parametrize(
    ("seen_by", "stranger", "fellow"), [("everybody", 200, 200), ("club", 404, 200), ("nobody", 404, 404)]
)
def test_a_rating_match_by_match_is_for_those_who_may_see_the_person(
    seen_by: str, stranger: int, fellow: int
) -> None:
    mari, jaan, liis = people(3)
    evening(mari, jaan)
    for user in (mari, jaan):
        Membership.objects.update_or_create(club_id=FIRST_CLUB, user=user)
    User.objects.filter(pk=mari.pk).update(seen_by=seen_by)
    address = f"{BOARD}{mari.pk}/"
    Membership.objects.filter(user=liis).delete()
    for client, wanted in ((Client(), stranger), (signed_in(liis), stranger), (signed_in(jaan), fellow)):
        assert (f'href="{address}"' in page_of(client, BOARD)) == (wanted == 200), "a link leads somewhere"
        page_of(client, address, wanted)
    page_of(signed_in(mari), address)
    page_of(signed_in(mari), f"{BOARD}{liis.pk}/", 404)


def test_a_persons_page_has_the_curve_and_the_same_numbers_in_a_table() -> None:
    mari, jaan = people(2)
    for number in range(PAGE + 3):
        report(f"evening/{number}", (mari, 1 + number % 2), (jaan, 2 - number % 2), at=timezone.now())
    client, address = signed_in(mari), f"{BOARD}{mari.pk}/"
    with CaptureQueriesContext(connection) as caught:
        page = page_of(client, address)
    assert len(caught) <= 20
    points = re.search(r'<polyline class="curve" points="(.*?)"', page)
    assert points is not None and len(points[1].split()) == PAGE + 4
    assert page.count('<tr><th scope="row"') == PAGE
    older = re.search(r'href="(\?before=\d+)"', page)
    assert older is not None
    assert page_of(client, address + older[1]).count('<tr><th scope="row"') == 3
    assert page_of(client, address + "?before=x").count('<tr><th scope="row"') == PAGE


def test_what_a_match_brought_is_told_when_it_is_over_and_only_then() -> None:
    mari, jaan = people(2)
    table = rated(mari, jaan)
    part, history = (
        reverse("games:table_ratings", args=[table.pk]),
        reverse("games:table_history", args=[table.pk]),
    )
    page_of(Client(), part, 404)
    assert "rating-changes" not in page_of(Client(), history)
    play_to_the_end(table)
    told = Client().get(part).json()["changes"]
    stored = {change.seat: change for change in table.rated_match.changes.all()}
    assert {one["seat"]: one["gain"] for one in told} == {seat: one.points for seat, one in stored.items()}
    assert all(one["points"] - one["gain"] == 1000 and one["provisional"] for one in told)
    assert "rating-changes" in page_of(Client(), history)
    assert "rating-changes" not in page_of(Client(), f"{history}?results=hidden")


def test_who_watches_with_a_delay_does_not_learn_the_end_from_the_ratings() -> None:
    table = rated(*people(2))
    Table.objects.filter(pk=table.pk).update(watch_delay=600)
    play_to_the_end(table)
    page_of(Client(), reverse("games:table_ratings", args=[table.pk]), 404)
    assert "rating-changes" not in page_of(Client(), reverse("games:table_history", args=[table.pk]))


@pytest.mark.parametrize("values", [[1000], [1000, 1000], [990, 1234, 1111], [-40, 2100]])
def test_a_curve_stays_in_its_frame_and_names_the_heights_around_it(values: list[int]) -> None:
    chart = curve(values)
    places = [tuple(map(float, place.split(","))) for place in chart.points.split()]
    assert len(places) == len(values)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)
    shown = [int(mark.shown) for mark in chart.marks]
    assert min(shown) <= min(values) and max(values) <= max(shown) and 2 <= len(shown) <= 7
    higher = sorted(zip(values, places, strict=True))
    assert all(a[1][1] >= b[1][1] for a, b in pairwise(higher))


def test_keepers_may_look_at_ratings_in_the_admin_and_change_nothing() -> None:
    evening(*people(2))
    keeper = signed_in(User.objects.create_superuser("keeper", password="a good long password"))
    for model in ("rating", "ratingchange"):
        assert "player1" in page_of(keeper, f"/admin/games/{model}/")
        page_of(keeper, f"/admin/games/{model}/add/", 403)
    row = Rating.objects.get(user__username="player1")
    assert 'name="_save"' not in page_of(keeper, f"/admin/games/rating/{row.pk}/change/")

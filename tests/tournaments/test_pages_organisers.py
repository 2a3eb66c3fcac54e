"""What organisers do on the pages of events, from the form to the prizes; and that nobody else can."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from clubs.models import User
from tests.tournaments.events import (
    enter_all,
    event,
    give,
    members,
    played,
    released,
    treasurer,
    with_players,
)
from tournaments import services
from tournaments.errors import EventRefusal
from tournaments.models import Action, Draw, Entry, EventTable, KeptApart, Payout, Result, Round, Tournament
from tournaments.presets import PRESETS
from tournaments.selectors.clubs import acts_at_events
from tournaments.selectors.field import tables_of
from tournaments.views.asking import told
from tournaments.views.entries import ENTRY_ACTS, LIST_ACTS
from tournaments.views.organising import EVENT_ACTS
from tournaments.views.rounds import ROUND_ACTS
from tournaments.views.steps import Situation, next_step
from tournaments.views.table_acts import ORGANISERS_ACTS

pytestmark = pytest.mark.django_db


def base(tournament: Tournament) -> str:
    return f"/events/{tournament.pk}/"


def do(desk: Client, tournament: Tournament, name: str, **said: Any) -> Any:
    return desk.post(f"{base(tournament)}do/{name}/", said)


def do_round(desk: Client, tournament: Tournament, number: int, name: str, **said: Any) -> Any:
    return desk.post(f"{base(tournament)}rounds/{number}/do/{name}/", said)


def form_data(desk: Client, path: str, **changes: Any) -> dict[str, Any]:
    """Return what the browser would send for a form of terms as it stands."""
    form = desk.get(path).context["form"]
    data = {name: form[name].value() for name in form.fields if not form.fields[name].disabled}
    data["prizes"] = form["prizes"].field.prepare_value(data.get("prizes")) or ""
    data["thresholds"] = form["thresholds"].field.prepare_value(data.get("thresholds")) or ""
    sent = {**data, "game": form.game_name, **changes}
    return {name: value for name, value in sent.items() if value is not None and value is not False}


def state_of(tournament: Tournament) -> str:
    tournament.refresh_from_db()
    return tournament.state


# Who may ------------------------------------------------------------------------------------------------------------


def _crafted(tournament: Tournament) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every address at which only organisers may send something, with what would make it act."""
    reason = {"reason": "because", "name": "x", "deal": 1, "strike": "1", "minutes": 5}
    at = base(tournament)
    for name in EVENT_ACTS:
        yield f"{at}do/{name}/", reason
    for name in ROUND_ACTS:
        yield f"{at}rounds/1/do/{name}/", reason
    for name in ORGANISERS_ACTS:
        yield f"{at}rounds/1/tables/1/do/{name}/", reason
    for name in LIST_ACTS:
        yield f"{at}players/{name}/", {"name": "New one", "first": 1, "second": 2}
    for name in ENTRY_ACTS:
        yield f"{at}players/1/{name}/", reason
    yield f"{at}players/import/", {"text": "New one", "enter": "1"}
    yield f"{at}rounds/2/draft/", {"one": 1, "other": 2}
    yield f"{at}draw/1/use/", reason
    yield f"{at}terms/", {"name": "Mine"}
    yield f"{at}copy/", {"name": "Mine"}
    yield "/events/new/", {"name": "Mine", "game": "least_score"}


def test_no_crafted_post_of_a_member_or_a_stranger_does_an_organisers_act(client: Client, olga: User) -> None:
    people = members(8)
    tournament = event(olga, rounds=2)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    released(olga, tournament, 1)
    enter_all(olga, tournament, 1)
    before = Action.objects.count(), Tournament.objects.count(), Entry.objects.count()
    for signed_in, wanted in ((None, 302), (people[0], 403)):
        if signed_in is not None:
            client.force_login(signed_in)
        for path, said in _crafted(tournament):
            answer = client.post(path, said)
            assert answer.status_code == wanted, path
            assert wanted == 403 or "/sign-in/" in answer["Location"], path
            assert wanted == 302 or "Only organisers may do that" in answer.content.decode(), path
        assert client.get(f"{base(tournament)}rounds/2/draft/figures/").status_code == wanted
    assert (Action.objects.count(), Tournament.objects.count(), Entry.objects.count()) == before


# The terms ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_makes_an_event_at_one_press(desk: Client, preset: str) -> None:
    path = f"/events/new/?preset={preset}"
    answer = desk.post("/events/new/", form_data(desk, path, name="Evening"))
    assert answer.status_code == 302, answer.context["form"].errors
    made = Tournament.objects.get()
    assert made.game == PRESETS[preset].game
    for term, value in PRESETS[preset].terms.items():
        assert getattr(made, term) == value, term


@pytest.mark.parametrize("path", ["/events/new/?preset=least_evening", "/events/new/?game=three_card_loo"])
def test_the_page_of_terms_shows_every_field_that_is_wanted_of_it(desk: Client, path: str) -> None:
    """Once the place was a field that no page showed, so that nobody could make an event with a browser."""
    answer = desk.get(path)
    shown = answer.content.decode()
    assert [name for name in answer.context["form"].fields if f' name="{name}"' not in shown] == []


def test_a_refused_form_keeps_everything_that_was_typed(desk: Client) -> None:
    data = form_data(desk, "/events/new/?game=least_score", name="Typed name", size_min=9, prizes="1: 90")
    answer = desk.post("/events/new/", data)
    assert answer.status_code == 422 and not Tournament.objects.exists()
    form = answer.context["form"]
    assert (form["name"].value(), form["prizes"].value()) == ("Typed name", "1: 90")
    assert "Table sizes must be in order" in str(form.non_field_errors())
    odd = desk.post("/events/new/", {**data, "thresholds": "many", "prizes": "all"})
    assert set(odd.context["form"].errors) == {"thresholds", "prizes"}


def test_terms_change_until_they_are_published_and_are_locked_then(desk: Client, olga: User) -> None:
    tournament = event(olga, rounds=2, tie_breaks=["wins"], options={"packs": 2})
    path = f"{base(tournament)}terms/"
    data = form_data(desk, path, rounds=3, tie_break_1="best_round", check_in_opens_at="2030-05-01T18:00")
    assert desk.post(path, data).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.rounds, tournament.tie_breaks) == (3, ["best_round"])
    assert tournament.options["packs"] == 2 and tournament.check_in_opens_at is not None
    for n in range(4):
        services.register_by_hand(tournament_id=tournament.pk, by=olga, name=f"Guest {n}")
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    assert desk.get(path).context["form"].fields["rounds"].disabled
    data = form_data(desk, path, name="New name", rounds=5)
    assert desk.post(path, data).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.rounds) == ("New name", 3)


def test_an_event_is_copied_with_another_name(desk: Client, olga: User) -> None:
    tournament = event(olga, rounds=7)
    path = f"{base(tournament)}copy/"
    assert desk.post(path, {"name": " "}).status_code == 422
    assert desk.post(path, {"name": "Next month"}).status_code == 302
    copy = Tournament.objects.get(name="Next month")
    assert (copy.rounds, copy.state, copy.copied_from) == (7, "draft", tournament)


# Entries ------------------------------------------------------------------------------------------------------------


def test_players_are_added_by_hand_and_refusals_keep_what_was_typed(desk: Client, olga: User) -> None:
    tournament = event(olga)
    path = f"{base(tournament)}players/add/"
    mari = User.objects.create_user(username="mari")
    assert desk.post(path, {"username": "Mari"}).status_code == 302
    assert desk.post(path, {"name": "Guest One", "volunteers": "on"}).status_code == 302
    assert Entry.objects.get(user=mari) and Entry.objects.get(name="Guest One").volunteers
    for said in ({"username": "nobody"}, {"name": "guest one"}, {"name": ""}):
        answer = desk.post(path, said)
        assert answer.status_code == 422 and answer.context["refused"].said == said
    assert 'value="nobody"' in desk.post(path, {"username": "nobody"}).content.decode()


def test_an_import_is_shown_line_by_line_before_anything_is_written(desk: Client, olga: User) -> None:
    tournament = event(olga, capacity=2)
    User.objects.create_user(username="mari")
    text = "username,name\nmari,\n,Guest One\nnobody,\n,guest one\n,Guest Two\n"
    path = f"{base(tournament)}players/import/"
    shown = desk.post(path, {"text": text, "preview": "1"})
    lines = shown.context["preview"]["lines"]
    assert [(line.line, line.status, bool(wrong)) for line, wrong in lines] == [
        (2, "entered", False),
        (3, "entered", False),
        (4, "", True),
        (5, "", True),
        (6, "waiting", False),
    ]
    assert not Entry.objects.exists() and text.splitlines()[3] in shown.content.decode()
    assert desk.post(path, {"text": text, "enter": "1"}).status_code == 422
    assert not Entry.objects.exists()
    good = "username,name\nmari,\n,Guest One\n"
    sent = SimpleUploadedFile("players.csv", good.encode("utf-8-sig"))
    assert desk.post(path, {"file": sent, "preview": "1"}).context["preview"]["wrong"] == 0
    assert desk.post(path, {"text": good, "enter": "1"}).status_code == 302
    assert Entry.objects.count() == 2
    empty = desk.post(path, {"file": SimpleUploadedFile("x.csv", b"\xff\xfe"), "preview": "1"})
    assert empty.status_code == 422


def test_pairs_are_kept_apart_and_let_together_and_bots_come_in(desk: Client, olga: User) -> None:
    tournament = event(olga, venue="online", bots_allowed=True)
    path = f"{base(tournament)}players/"
    assert desk.post(f"{path}bots/", {"names": "Ada\nBob\n\n", "level": "random"}).status_code == 302
    assert desk.post(f"{path}bots/", {"names": "Cy", "level": "genius"}).status_code == 422
    assert desk.post(f"{path}apart/", {"first": 1, "second": 2}).status_code == 302
    assert KeptApart.objects.count() == 1
    assert desk.post(f"{path}apart/", {"first": 1, "second": 1}).status_code == 422
    assert desk.post(f"{path}together/", {"first": 1, "second": 2}).status_code == 302
    assert not KeptApart.objects.exists()


def test_check_in_is_one_click_each_and_only_the_line_comes_back(desk: Client, olga: User) -> None:
    tournament = event(olga, check_in_needed=True)
    for n in range(3):
        services.register_by_hand(tournament_id=tournament.pk, by=olga, name=f"Guest {n}")
    path = f"{base(tournament)}players/"
    line = desk.post(f"{path}1/check_in/", headers={"HX-Request": "true"})
    assert line.status_code == 200 and b'id="entry-1"' in line.content and b"<html" not in line.content
    assert Entry.objects.get(number=1).present
    assert [entry.number for entry, *_ in desk.get(f"{path}?show=missing").context["lines"]] == [2, 3]
    desk.post(f"{path}check_in_all/")
    assert Entry.objects.filter(present=True).count() == 3
    desk.post(f"{path}2/no_show/")
    desk.post(f"{path}3/withdraw/", {"reason": "ill"})
    assert [e.status for e in Entry.objects.order_by("number")] == ["entered", "no_show", "withdrawn"]
    desk.post(f"{path}3/return/")
    desk.post(f"{path}3/substitute/", {"name": "Uncle"})
    desk.post(f"{path}3/volunteer/")
    entry = Entry.objects.get(number=3)
    assert entry.played_by == "Uncle" and entry.volunteers
    wrong = desk.post(f"{path}3/substitute/", {"username": "nobody"})
    assert wrong.status_code == 422 and 'value="nobody"' in wrong.content.decode()
    assert desk.post(f"{path}9/check_in/").status_code == 422
    refused = desk.post(f"{path}2/withdraw/", headers={"HX-Request": "true"})
    assert refused.status_code == 200 and b'role="alert"' in refused.content


# The course of an event ---------------------------------------------------------------------------------------------


def test_an_event_is_led_from_the_draft_to_the_archive_by_its_next_step_alone(
    desk: Client, olga: User
) -> None:
    tournament = services.create_tournament(
        by=olga, name="Friday", game="least_score", venue="club", rounds=2, check_in_needed=True
    )
    for n in range(8):
        services.register_by_hand(tournament_id=tournament.pk, by=olga, name=f"Guest {n}")
    pressed = []
    for _ in range(30):
        page = desk.get(f"{base(tournament)}desk/")
        step = page.context["step"]
        assert step.sentence
        if step.act is None:
            playing = Round.objects.filter(tournament=tournament, state="playing").first()
            if playing is None:
                break
            assert desk.get(step.link).status_code == 200
            enter_all(olga, tournament, playing.number)
            continue
        if step.act.name == "start":
            desk.post(f"{base(tournament)}players/check_in_all/")
        pressed.append(step.act.name)
        assert desk.post(step.act.address).status_code == 302, step.act.name
    assert pressed == [
        *("open_registration", "open_check_in", "start", "draw"),
        *("confirm_draw", "release", "confirm", "confirm_draw", "release", "confirm"),
        *("finish", "archive"),
    ]
    assert state_of(tournament) == "archived"
    record = desk.get(f"{base(tournament)}record/").content.decode()
    assert "opened registration" in record and "confirmed a round" in record and "olga" in record


def test_one_player_was_left_and_the_desk_said_finish_before_the_round_was_confirmed() -> None:
    tournament = Tournament(
        game="least_score", family="elimination", thresholds=[25], state="running", rounds=3
    )
    before = Round(tournament=tournament, number=1, state="confirmed", current=1)
    for state, act in (("complete", "confirm"), ("confirmed", "finish")):
        last = Round(tournament=tournament, number=2, state=state, current=1)
        step = next_step(tournament, Situation([before, last], {"done": [1]}, left=1, paid=False))
        assert step.act is not None and step.act.name == act


@pytest.mark.parametrize(
    ("code", "detail", "named"),
    [
        ("nobody_in", "somebody wins every deal: the dealer, if all others fold", ""),
        ("bad_tricks", "the tricks of a deal are 3, not 5", ""),
        ("too_few_players", "3 players, tables of at least 4", ""),
        ("not_now", "the event is in the state draft", ""),
        ("name_taken", "Aino Kask", "Aino Kask"),
        ("bad_term", "capacity must be a whole number from 0 to 32767", "Most players"),
        ("terms_fixed", "fee", "entry fee"),
    ],
)
def test_an_english_phrase_stood_in_brackets_behind_a_refusal(code: str, detail: str, named: str) -> None:
    refusal = EventRefusal(code, detail)
    assert told(refusal) == (f"{refusal.message} ({named})" if named else refusal.message)


def test_a_member_is_entered_by_the_name_that_everybody_knows(desk: Client, olga: User) -> None:
    tournament = event(olga)
    known, twin, other = members(3)
    User.objects.filter(pk=known.pk).update(display_name="Aino Kask")
    User.objects.filter(pk__in=[twin.pk, other.pk]).update(display_name="Juta")
    page = desk.get(f"{base(tournament)}players/").content.decode()
    assert f'<option value="{known.username}">Aino Kask</option>' in page
    for name, entered in (("aino kask", 1), ("Juta", 1), (twin.username, 2), ("nobody", 2)):
        desk.post(f"{base(tournament)}players/add/", {"username": name})
        assert Entry.objects.filter(tournament=tournament).count() == entered, name


def test_acts_that_need_a_reason_say_so_and_keep_what_was_typed(desk: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    released(olga, tournament, 1)
    for name in ("unrelease", "undo"):
        answer = do_round(desk, tournament, 1, name, reason=" ")
        assert answer.status_code == 422 and "Give a reason" in answer.content.decode()
    long = "x" * 501
    assert long in do_round(desk, tournament, 1, "undo", reason=long).content.decode()
    assert do_round(desk, tournament, 1, "confirm").status_code == 422
    answer = do(desk, tournament, "cancel", reason="")
    assert answer.status_code == 422 and state_of(tournament) == "running"
    assert do(desk, tournament, "celebrate").status_code == 404


def test_a_round_is_released_taken_back_undone_brought_back_and_reopened(desk: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2, round_minutes=45)
    do(desk, tournament, "draw")
    for name in ("confirm_draw", "loosen_draw", "confirm_draw", "release"):
        assert do_round(desk, tournament, 1, name).status_code == 302, name
    assert do_round(desk, tournament, 1, "unrelease", reason="wrong room").status_code == 302
    do_round(desk, tournament, 1, "confirm_draw")
    assert do_round(desk, tournament, 1, "schedule", opens_at="2035-01-01T20:00").status_code == 302
    assert Round.objects.get(tournament=tournament, number=1).opens_at is not None
    assert do_round(desk, tournament, 1, "schedule", opens_at="soon").status_code == 422
    do_round(desk, tournament, 1, "release")
    do_round(desk, tournament, 1, "clock")
    page = desk.get(f"{base(tournament)}rounds/1/")
    assert "The clock is stopped" in page.content.decode()
    do_round(desk, tournament, 1, "clock")
    enter_all(olga, tournament, 1)
    do_round(desk, tournament, 1, "confirm")
    for name, state in (("reopen", "complete"), ("undo", "drawn"), ("redo", "complete")):
        offered = [act.sent for act in desk.get(f"{base(tournament)}rounds/1/").context["acts"]]
        assert name in offered
        assert do_round(desk, tournament, 1, name, reason="a mistake").status_code == 302, name
        assert Round.objects.get(tournament=tournament, number=1).state == state


def test_who_is_missing_is_named_before_the_event_starts_without_them(desk: Client, olga: User) -> None:
    """One press made everybody a no-show who had not checked in."""
    tournament = event(olga, check_in_needed=True)
    for name in ("Ann", "Bea", "Cid", "Dan", "Eve"):
        services.register_by_hand(tournament_id=tournament.pk, by=olga, name=name)
    for number in (1, 2, 3, 4):
        services.check_in(tournament_id=tournament.pk, by=olga, number=number)
    asked = do(desk, tournament, "start")
    assert [entry.shown_name for entry in asked.context["missing"]] == ["Eve"]
    assert state_of(tournament) == "registration" and "Eve" in asked.content.decode()
    assert do(desk, tournament, "start", sure="1").status_code == 302
    assert state_of(tournament) == "running" and Entry.objects.get(number=5).status == "no_show"


def test_the_time_of_a_round_is_called_by_a_button_and_told_in_words(desk: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1, orbits=3)
    released(olga, tournament, 1)
    page = f"{base(tournament)}rounds/1/"
    assert "Call the time" in desk.get(page).content.decode()
    told = desk.post(f"{page}do/time/", follow=True).content.decode()
    assert "The time is called at the tables 1, 2." in told
    assert {table.deals_due for table in EventTable.objects.all()} == {4}
    assert "No table had more to play" in desk.post(f"{page}do/time/", follow=True).content.decode()
    assert "called the time of a round: round 1, tables 1, 2" in _text(desk, f"{base(tournament)}record/")


def test_the_record_tells_terms_and_players_by_their_names(desk: Client, olga: User) -> None:
    """It told them as the code calls them: "standings_live: False", "scores: 1: 0 2: 6"."""
    tournament = with_players(olga, 4, rounds=1)
    at = {"tournament_id": tournament.pk, "by": olga}
    services.change_tournament(**at, standings_live=True, round_minutes=45)
    (table,) = tables_of(released(olga, tournament, 1))
    enter_all(olga, tournament, 1)
    scores = {player: 10 * n for n, player in enumerate(table.seats)} | {table.seats[3]: 31}
    place = {**at, "round_number": 1, "table_number": 1}
    services.correct_deal(**place, deal=0, scores=scores, reason="read again")
    told = _text(desk, f"{base(tournament)}record/")
    last = Entry.objects.get(number=table.seats[3]).shown_name
    assert f"corrected a result: round 1, table 1, {last}: 30 → 31 read again" in told
    assert "standings are shown while a round is played: no → yes" in told
    assert "minutes a round: – → 45" in told


def test_the_clubs_log_tells_who_was_entered_and_where_a_result_was(olga: User) -> None:
    """It said "entered a player: Friday" as often as there were players."""
    tournament = with_players(olga, 4, rounds=1)
    released(olga, tournament, 1)
    enter_all(olga, tournament, 1)
    told = {
        (act["what"], act["about"]) for act in acts_at_events(tournament.club, before=timezone.now(), most=99)
    }
    assert {("entered a player", f"Guest {n}, Friday") for n in range(1, 5)} < told
    assert ("entered a result", "round 1, table 1, Friday") in told
    assert ("started the event", "Friday") in told


def test_who_entered_by_oneself_is_not_named_twice(desk: Client, olga: User) -> None:
    """It said "Mari entered a player: Mari"."""
    tournament, (mari,) = event(olga), members(1)
    entry = services.register(tournament_id=tournament.pk, user=mari)
    services.withdraw(tournament_id=tournament.pk, by=mari, number=entry.number)
    told = _text(desk, f"{base(tournament)}record/")
    assert f"{mari.shown_name} entered" in told and f"{mari.shown_name} withdrew" in told
    assert f": {mari.shown_name}" not in told
    acts = acts_at_events(tournament.club, before=timezone.now(), most=2)
    assert [(act["what"], act["about"]) for act in acts] == [("withdrew", "Friday"), ("entered", "Friday")]


def test_an_announcement_stands_everywhere_until_it_is_taken_away(desk: Client, olga: User) -> None:
    tournament = with_players(olga, 4, rounds=1)
    released(olga, tournament, 1)
    said = "Tea is ready; round 2 begins at eight."
    assert do(desk, tournament, "announce", text=f"  {said}\n").status_code == 302
    version = Tournament.objects.get().version
    do(desk, tournament, "announce", text=said)
    assert Tournament.objects.get().version == version, "saying it again is nothing new"
    for page in ("", "desk/", "rounds/1/", "screen/state/", "record/"):
        assert said in _text(desk, base(tournament) + page), page
    refused = do(desk, tournament, "announce", text="x" * 301)
    assert refused.status_code == 422 and "at most 300 characters" in refused.content.decode()
    do(desk, tournament, "announce", text="")
    for page in ("", "rounds/1/", "screen/state/"):
        assert said not in _text(desk, base(tournament) + page), page


def _text(desk: Client, path: str) -> str:
    """Return what a page says, without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", desk.get(path).content.decode()).split())


def test_a_draft_is_swapped_by_hand_with_its_figures_and_an_older_version_used_again(
    desk: Client, olga: User
) -> None:
    tournament = with_players(olga, 12, rounds=3)
    do(desk, tournament, "draw")
    path = f"{base(tournament)}rounds/2/draft/"
    row = Round.objects.get(tournament=tournament, number=2)
    (one, *_), (other, *_), *_rest = row.drawn_tables
    shown = desk.get(f"{path}figures/", {"one": one, "other": other})
    told = {str(label): new for label, _old, new, _change in shown.context["changes"]}
    assert desk.get(f"{path}figures/", {"one": one, "other": one}).context["message"]
    assert desk.post(path, {"one": one, "other": one}).status_code == 422
    assert desk.post(path, {"one": one, "other": other, "reason": "brothers"}).status_code == 302
    swapped = Draw.objects.get(tournament=tournament, number=2)
    assert told["repeat meetings"] == swapped.figures["repeats"]
    assert swapped.rounds[1] != row.draw.rounds[1]
    again = f"{base(tournament)}draw/1/use/"
    assert desk.post(again, {"reason": ""}).status_code == 422
    assert desk.post(again, {"reason": "as it was"}).status_code == 302
    assert Round.objects.get(tournament=tournament, number=2).draw.number == 1


def test_a_result_is_corrected_struck_and_a_dispute_decided(desk: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2, round_minutes=30)
    table = tables_of(released(olga, tournament, 1))[0]
    path = f"{base(tournament)}rounds/1/tables/1/"
    sheet = {f"total-{number}": 10 + n for n, number in enumerate(table.seats)}
    for deal in (1, 2):
        desk.post(f"{path}do/enter/", {"deal": deal, **sheet})
    form = desk.get(f"{path}?correct=1").context["correction"]
    assert form[f"total-{table.seats[1]}"].value() == 11
    mended = {**sheet, f"total-{table.seats[0]}": 40, "deal": 1}
    no_reason = desk.post(f"{path}do/correct/", mended)
    assert no_reason.status_code == 422
    assert no_reason.context["correction"][f"total-{table.seats[0]}"].value() == "40"
    assert desk.post(f"{path}do/correct/", {**mended, "reason": "misread"}).status_code == 302
    newest = Result.objects.filter(number=1).latest("version")
    assert (newest.version, newest.sheet["totals"][str(table.seats[0])]) == (2, 40)
    versions = desk.get(path).content.decode().partition('id="versions"')[2]
    corrected = Entry.objects.get(number=table.seats[0]).shown_name
    assert f"{corrected}: {newest.scores[str(table.seats[0])]}" in versions
    desk.post(f"{path}do/correct/", {"deal": 2, "strike": "1", "reason": "misdeal"})
    assert Result.objects.filter(number=2).latest("version").struck
    assert "misread" in desk.get(path).content.decode()
    desk.post(f"{path}do/dispute/", {"reason": "no"})
    assert EventTable.objects.get(pk=table.pk).state == "disputed"
    assert "is disputed" in str(desk.get(f"{base(tournament)}desk/").context["step"].sentence)
    desk.post(f"{path}do/resolve/", {"reason": "it stands"})
    assert EventTable.objects.get(pk=table.pk).state == "playing"
    assert desk.post(f"{path}do/extra_time/", {"minutes": "5"}).status_code == 302
    assert desk.post(f"{path}do/extra_time/", {"minutes": "never"}).status_code == 422
    assert EventTable.objects.get(pk=table.pk).extra_seconds == 300
    assert desk.post(f"{path}do/shuffle/").status_code == 404


def test_prizes_are_paid_shown_and_taken_back(desk: Client, olga: User) -> None:
    people = members(4)
    for person in people:
        give(person, 100)
    tournament = event(
        treasurer(), rounds=1, asset="CHIPS", fee=50, prizes={"1": [100], "4": [60, 40]}, size_min=3
    )
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    played(olga, tournament, 1)
    do(desk, tournament, "finish")
    assert desk.get(f"{base(tournament)}desk/").context["step"].act.name == "pay"
    assert do(desk, tournament, "pay").status_code == 302
    page = desk.get(f"{base(tournament)}result/")
    assert [chips for _row, _rounds, chips in page.context["lines"]] == [120, 80, None, None]
    assert [prize.chips for prize in page.context["prizes"]] == [120, 80]
    assert do(desk, tournament, "take_back", reason="").status_code == 422
    assert do(desk, tournament, "take_back", reason="a mistake").status_code == 302
    assert Payout.objects.get().taken_back
    assert do(desk, tournament, "pay").status_code == 302


def test_an_event_ends_early_or_is_cancelled_with_a_reason(desk: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=3)
    played(olga, tournament, 1)
    assert do(desk, tournament, "finish_early", reason="the house closes").status_code == 302
    assert state_of(tournament) == "finished"
    other = event(olga)
    assert do(desk, other, "cancel", reason="snow").status_code == 302
    assert state_of(other) == "cancelled"
    assert "Copy it" in desk.get(f"{base(other)}desk/").content.decode()

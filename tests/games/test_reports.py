"""Reports: what is sent with them, who may handle them, what is written down, on pages and in the admin."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import User
from games import selectors, services, tasks
from games.errors import TableRefusal
from games.models import ChatLine, OrganiserAct, Report, Silence, Table
from tests.games.chatting import finish, guest, organiser, say
from tests.games.tables import member, open_table, start

pytestmark = pytest.mark.django_db

SCRIPT = "<script>alert('x')</script>"
ESCAPED = "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"


@pytest.fixture
def table() -> Table:
    """A running table of two members and a bot."""
    made = open_table("least_score", member("mari"), member("jaan"))
    start(made)
    return made


@pytest.fixture
def mari(table: Table) -> User:
    return User.objects.get(username="mari")


@pytest.fixture
def jaan(table: Table) -> User:
    return User.objects.get(username="jaan")


@pytest.fixture
def keeper() -> User:
    return organiser("olev")


def refused(code: str) -> Any:
    return pytest.raises(TableRefusal, match=f"^{code}$")


def report(table: Table, reporter: User, *lines: ChatLine, **changes: Any) -> Report:
    wanted = {"reason": "abuse", "line_ids": [line.pk for line in lines], **changes}
    return services.report(table_id=table.id, reporter_id=reporter.pk, **wanted)


def end_a_deal(table: Table) -> int:
    """Play the running deal to its end and return its number."""
    number = table.deal_number
    finish(table)
    return number


# What is sent -------------------------------------------------------------------------------------------------------


def test_a_report_keeps_its_lines_when_the_chat_forgets_them(table: Table, mari: User, jaan: User) -> None:
    first, second = say(table, jaan, SCRIPT), say(table, jaan, phrase="sorry")
    made = report(table, mari, second, first, note="  Twice today ")
    ChatLine.objects.all().delete()
    made.refresh_from_db()
    assert (made.reporter, made.reported, made.note, made.state) == (mari, jaan, "Twice today", "open")
    assert [line.words for line in selectors.evidence_of(made)] == [SCRIPT, "Sorry!"]
    assert {line.name for line in selectors.evidence_of(made)} == {"jaan"}
    jaan.delete()
    assert {line.name for line in selectors.evidence_of(made)} == {""}


def test_only_lines_of_one_other_person_that_one_reads_are_reported(
    table: Table, mari: User, jaan: User
) -> None:
    own, his = say(table, mari, "mine"), say(table, jaan, "his")
    hidden = say(table, member("tiit"), "among watchers")
    other = say(open_table("least_score", jaan), jaan, "elsewhere")
    for lines, code in (
        ((own,), "not_yourself"),
        ((own, his), "report_one_person"),
        ((hidden,), "no_such_line"),
        ((his, other), "no_such_line"),
    ):
        with refused(code):
            report(table, mari, *lines)
    with refused("report_bad_reason"):
        report(table, mari, his, reason="grudge")
    with refused("report_long_note"):
        report(table, mari, his, note="a" * 1001)
    with refused("report_empty"):
        report(table, mari)
    with refused("report_many_lines"):
        report(table, mari, line_ids=range(51))
    with refused("no_such_table"):
        services.report(table_id=uuid4(), reporter_id=mari.pk, reason="abuse", line_ids=[his.pk])
    assert not Report.objects.exists()


def test_a_deal_that_is_over_is_reported_with_a_note_and_perhaps_a_seat(
    table: Table, mari: User, jaan: User
) -> None:
    about = {"reason": "suspicion", "note": "Knew every card", "deal_number": 1}
    with refused("deal_running"):
        report(table, mari, **about)
    number = end_a_deal(table)
    for changes, code in (
        ({"note": " "}, "report_empty"),
        ({"deal_number": number + 1}, "no_such_deal"),
        ({"seat": 9}, "report_bad_person"),
        ({"seat": 1}, "not_yourself"),
    ):
        with refused(code):
            report(table, mari, **{**about, **changes})
    assert report(table, mari, **about, seat=2).reported == jaan
    assert report(table, mari, **about, seat=3).reported is None
    assert report(table, guest(), **about).reported is None


def test_a_line_that_many_others_followed_can_still_be_reported_and_muted(
    client: Client, table: Table, mari: User, jaan: User
) -> None:
    """An open page keeps more lines than a fresh one is sent."""
    old = say(table, jaan, "Long ago")
    ChatLine.objects.bulk_create(
        ChatLine(table=table, room="table", author=mari, seat=1, text=f"{n}", at=timezone.now())
        for n in range(150)
    )
    client.force_login(mari)
    assert "Long ago" in client.get(f"/tables/{table.id}/report/", {"line": old.pk}).content.decode()
    assert report(table, mari, old).reported == jaan
    services.mute_author(table_id=table.id, line_id=old.pk, user_id=mari.pk)
    with refused("no_such_line"):
        report(table, mari, old)


def test_eleven_reports_a_day_are_one_too_many(table: Table, mari: User, jaan: User) -> None:
    line = say(table, jaan, "Ha")
    for _ in range(10):
        report(table, mari, line)
    with refused("too_many_reports"):
        report(table, mari, line)
    Report.objects.update(at=timezone.now() - dt.timedelta(hours=25))
    assert report(table, mari, line).pk


# What organisers do -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("everywhere", [False, True])
def test_silencing_handles_the_report_and_is_written_down(
    table: Table, mari: User, jaan: User, keeper: User, everywhere: bool
) -> None:
    made = report(table, mari, say(table, jaan, "Ha"))
    before = timezone.now()
    services.silence(organiser=keeper, report_id=made.pk, hours=24, why=" Shouting ", everywhere=everywhere)
    made.refresh_from_db()
    assert (made.state, made.decision, made.handled_by, made.decision_note) == (
        "handled",
        "silenced",
        keeper,
        "Shouting",
    )
    silence = Silence.objects.get()
    assert silence.user == jaan and silence.table == (None if everywhere else table)
    assert dt.timedelta() <= silence.until - before - dt.timedelta(hours=24) < dt.timedelta(minutes=1)
    act = OrganiserAct.objects.get()
    assert (act.by, act.kind, act.person, act.report, act.why) == (keeper, "silence", jaan, made, "Shouting")
    with refused("silenced"):
        say(table, jaan, "Ha")
    services.lift_silence(organiser=keeper, silence_id=silence.pk, why="He is sorry")
    assert say(table, jaan, phrase="sorry").pk
    assert list(OrganiserAct.objects.values_list("kind", flat=True)) == ["lift", "silence"]
    with refused("no_such_silence"):
        services.lift_silence(organiser=keeper, silence_id=silence.pk, why="Again")


def test_dismissing_hiding_and_their_refusals(table: Table, mari: User, jaan: User, keeper: User) -> None:
    made = report(table, mari, say(table, jaan, "Ha"))
    services.hide_reported_lines(organiser=keeper, report_id=made.pk, why="Ugly")
    assert selectors.readable_lines(table.id, mari.pk) == []
    assert ChatLine.objects.get().hidden_by == keeper
    with refused("no_such_line"):
        services.hide_reported_lines(organiser=keeper, report_id=made.pk, why="Ugly")
    with refused("reason_missing"):
        services.dismiss_report(organiser=keeper, report_id=made.pk, why=" ")
    with refused("bad_duration"):
        services.silence(organiser=keeper, report_id=made.pk, hours=5, why="Shouting")
    services.dismiss_report(organiser=keeper, report_id=made.pk, why="Once only")
    with refused("report_handled"):
        services.dismiss_report(organiser=keeper, report_id=made.pk, why="Once only")
    with refused("no_such_report"):
        services.dismiss_report(organiser=keeper, report_id=made.pk + 1, why="Once only")
    finish(table)
    nobody = report(table, mari, reason="bug", deal_number=1, note="It stood still")
    with refused("nobody_to_silence"):
        services.silence(organiser=keeper, report_id=nobody.pk, hours=24, why="Shouting")
    assert list(OrganiserAct.objects.values_list("kind", flat=True)) == ["dismiss", "hide"]


def test_silences_and_acts_are_forgotten_a_year_after_they_ended_and_open_reports_never(
    table: Table, mari: User, jaan: User, keeper: User
) -> None:
    """Nobody's name hangs on an old quarrel for ever; what is not handled yet waits."""
    line = say(table, jaan, "Ha")
    made, waiting = report(table, mari, line), report(table, mari, line)
    services.silence(organiser=keeper, report_id=made.pk, hours=24, why="Shouting")
    assert services.forget_chat() == 0
    long_ago = timezone.now() - dt.timedelta(days=400)
    Silence.objects.update(at=long_ago, until=long_ago + dt.timedelta(days=1))
    OrganiserAct.objects.update(at=long_ago)
    Report.objects.update(at=long_ago)
    Report.objects.filter(pk=made.pk).update(handled_at=long_ago)
    assert services.forget_chat() == 3
    assert list(Report.objects.all()) == [waiting]
    assert not Silence.objects.exists() and not OrganiserAct.objects.exists()


def test_who_is_no_organiser_does_nothing(table: Table, mari: User, jaan: User) -> None:
    made = report(table, mari, say(table, jaan, "Ha"))
    silence = Silence.objects.create(user=jaan, until=timezone.now() + dt.timedelta(hours=1), why="x")
    staff = member("staff")
    staff.is_staff = True
    staff.save()
    for person in (mari, staff):
        for act in (
            lambda who: services.silence(organiser=who, report_id=made.pk, hours=24, why="x"),
            lambda who: services.dismiss_report(organiser=who, report_id=made.pk, why="x"),
            lambda who: services.hide_reported_lines(organiser=who, report_id=made.pk, why="x"),
            lambda who: services.lift_silence(organiser=who, silence_id=silence.pk, why="x"),
        ):
            with refused("not_organiser"):
                act(person)
    assert not OrganiserAct.objects.exists()


def test_an_organiser_neither_sees_nor_handles_what_concerns_the_organiser(table: Table, mari: User) -> None:
    """Evidence may hold what watchers say of the hands at a table where the organiser plays."""
    keeper = organiser("olev")
    own = open_table("least_score", keeper, mari)
    start(own)
    about_keeper = report(own, mari, say(own, keeper, "Ha"))
    watchers = report(own, member("uku"), say(own, member("tiit"), "Olev holds the joker"))
    for made in (about_keeper, watchers):
        with refused("no_such_report"):
            services.dismiss_report(organiser=keeper, report_id=made.pk, why="x")
    assert not selectors.reports_for(keeper).exists()
    finish(own)
    assert list(selectors.reports_for(keeper)) == [watchers]
    other = organiser("oskar")
    assert set(selectors.reports_for(other)) == {about_keeper, watchers}
    services.silence(organiser=other, report_id=about_keeper.pk, hours=1, why="Ha")
    with refused("not_yourself"):
        services.lift_silence(organiser=keeper, silence_id=Silence.objects.get().pk, why="Mine")


# Pages --------------------------------------------------------------------------------------------------------------


def test_a_line_is_reported_on_the_page_and_shown_there_as_text(
    client: Client, table: Table, mari: User, jaan: User
) -> None:
    line, own = say(table, jaan, SCRIPT), say(table, mari, "mine")
    client.force_login(mari)
    address = f"/tables/{table.id}/report/"
    page = client.get(address, {"line": line.pk}).content.decode()
    assert ESCAPED in page and SCRIPT not in page and f'name="line" value="{own.pk}"' not in page
    assert f'value="{line.pk}" checked' in page
    wrong = client.post(address, {"line": line.pk, "reason": "", "note": "<b>"})
    assert wrong.status_code == 422 and "&lt;b&gt;" in wrong.content.decode()
    sent = client.post(address, {"line": line.pk, "reason": "abuse"}, follow=True)
    assert "The organisers have your report" in sent.content.decode()
    assert Report.objects.get().evidence[0]["id"] == line.pk


def test_a_deal_is_reported_from_its_replay(client: Client, table: Table, mari: User, jaan: User) -> None:
    client.force_login(mari)
    assert client.get(f"/tables/{table.id}/report/", {"deal": 1}).status_code == 404
    end_a_deal(table)
    address = f"/tables/{table.id}/report/?deal=1"
    assert address in client.get(f"/tables/{table.id}/deals/1/").content.decode()
    page = client.get(address).content.decode()
    assert '<option value="2">jaan</option>' in page and '<option value="1">' not in page
    client.post(address, {"deal": "1", "seat": "2", "reason": "suspicion", "note": "Knew every card"})
    made = Report.objects.get()
    assert (made.deal_number, made.reported, made.evidence) == (1, jaan, [])
    for wrong in ({"deal": "x"}, {"deal": "99999999"}):
        assert client.get(f"/tables/{table.id}/report/", wrong).status_code == 404


def test_watchers_lines_are_on_no_page_of_who_sits(client: Client, table: Table, mari: User) -> None:
    tiit = member("tiit")
    say(table, tiit, "Mari holds the joker")
    client.force_login(mari)
    for address in (f"/tables/{table.id}/report/", f"/tables/{table.id}/"):
        assert "Mari holds the joker" not in client.get(address).content.decode()
    client.force_login(member("uku"))
    assert "Mari holds the joker" in client.get(f"/tables/{table.id}/report/").content.decode()


def test_organisers_handle_reports_on_their_pages(
    client: Client, table: Table, mari: User, jaan: User, keeper: User
) -> None:
    made = report(table, mari, say(table, jaan, SCRIPT), note=SCRIPT)
    client.force_login(keeper)
    assert "/reports/" in client.get("/").content.decode()
    assert f"/reports/{made.pk}/" in client.get("/reports/").content.decode()
    page = client.get(f"/reports/{made.pk}/").content.decode()
    assert page.count(ESCAPED) == 2 and SCRIPT not in page
    empty = client.post(f"/reports/{made.pk}/dismiss/", {"why": ""}, follow=True)
    assert "Say why" in empty.content.decode()
    client.post(f"/reports/{made.pk}/hide/", {"why": "Ugly"})
    done = client.post(
        f"/reports/{made.pk}/silence/",
        {"why": SCRIPT, "hours": "24", "where": "everywhere"},
        follow=True,
    )
    assert "The person was silenced" in done.content.decode()
    silence = Silence.objects.get()
    assert silence.table is None and silence.user == jaan
    assert f"/reports/{made.pk}/" not in client.get("/reports/").content.decode()
    for address in ("/reports/", "/reports/?state=handled", "/reports/acts/", f"/reports/{made.pk}/"):
        answer = client.get(address)
        assert answer.status_code == 200 and SCRIPT not in answer.content.decode()
    client.post(f"/silences/{silence.pk}/lift/", {"why": "Sorry"})
    assert say(table, jaan, phrase="sorry").pk
    assert client.get("/reports/123456/").status_code == 404


def test_the_organisers_pages_are_closed_to_all_others(
    client: Client, table: Table, mari: User, jaan: User
) -> None:
    made = report(table, mari, say(table, jaan, "Ha"))
    looks = ("/reports/", "/reports/acts/", f"/reports/{made.pk}/")
    acts = [f"/reports/{made.pk}/{act}/" for act in ("silence", "dismiss", "hide")] + ["/silences/1/lift/"]
    for person, status in ((None, 302), (mari, 403)):
        if person is not None:
            client.force_login(person)
        assert {client.get(address).status_code for address in looks} == {status}
        assert {client.post(address, {"why": "x", "hours": "24"}).status_code for address in acts} == {status}
    made.refresh_from_db()
    assert made.state == "open" and not Silence.objects.exists()
    assert client.get(f"/tables/{table.id}/report/").status_code == 200
    client.logout()
    assert client.get(f"/tables/{table.id}/report/").status_code == 302
    assert client.get("/muted/").status_code == 302


def test_the_list_of_muted_people_has_a_way_back(
    client: Client, table: Table, mari: User, jaan: User
) -> None:
    jaan.display_name = SCRIPT[:40]
    jaan.save()
    line = say(table, jaan, "Ha")
    services.mute_author(table_id=table.id, line_id=line.pk, user_id=mari.pk)
    client.force_login(mari)
    page = client.get("/muted/").content.decode()
    assert "&lt;script&gt;" in page and "<script>alert" not in page
    client.post(f"/muted/{jaan.pk}/unmute/")
    assert selectors.muted_by(mari.pk) == []
    assert "You have muted nobody" in client.get("/muted/").content.decode()


def test_the_list_of_reports_takes_as_many_queries_for_thirty_as_for_one(
    client: Client, table: Table, mari: User, jaan: User, keeper: User, django_assert_num_queries: Any
) -> None:
    line = say(table, jaan, "Ha")
    report(table, mari, line)
    client.force_login(keeper)
    client.get("/reports/")
    with CaptureQueriesContext(connection) as few:
        client.get("/reports/")
    Report.objects.bulk_create(
        Report(reporter=mari, reported=jaan, table=table, reason="abuse", evidence=[]) for _ in range(30)
    )
    with django_assert_num_queries(len(few)):
        client.get("/reports/")


# The admin ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def staff(keeper: User) -> User:
    keeper.is_staff = True
    keeper.save()
    return keeper


def test_reports_are_handled_in_the_admin_by_the_same_services(
    client: Client, table: Table, mari: User, jaan: User, staff: User
) -> None:
    line = say(table, jaan, SCRIPT)
    first, second = report(table, mari, line, note=SCRIPT), report(table, mari, line)
    client.force_login(staff)
    page = client.get(f"/admin/games/report/{first.pk}/change/").content.decode()
    assert page.count(ESCAPED) == 2 and SCRIPT not in page
    assert client.get("/admin/games/report/").status_code == 200
    chosen = {"_selected_action": [str(first.pk)]}
    without = client.post("/admin/games/report/", {"action": "dismiss", **chosen}, follow=True)
    assert "Say why" in without.content.decode()
    client.post("/admin/games/report/", {"action": "hide_lines", "why": "Ugly", **chosen})
    client.post(
        "/admin/games/report/", {"action": "silence_everywhere", "why": SCRIPT, "hours": "168", **chosen}
    )
    client.post(
        "/admin/games/report/", {"action": "dismiss", "why": "x", "_selected_action": [str(second.pk)]}
    )
    assert set(Report.objects.values_list("pk", "decision")) == {
        (first.pk, "silenced"),
        (second.pk, "dismissed"),
    }
    assert ChatLine.objects.get().hidden_at is not None
    silence = Silence.objects.get()
    for address in ("/admin/games/silence/", "/admin/games/organiseract/"):
        answer = client.get(address).content.decode()
        assert ESCAPED in answer and SCRIPT not in answer
    client.post(
        "/admin/games/silence/", {"action": "lift", "why": "Sorry", "_selected_action": [str(silence.pk)]}
    )
    silence.refresh_from_db()
    assert silence.lifted_at is not None
    assert set(OrganiserAct.objects.values_list("kind", flat=True)) == {"hide", "silence", "dismiss", "lift"}


def test_the_admin_shows_reports_to_organisers_alone_and_lets_nobody_change_them_by_hand(
    client: Client, table: Table, mari: User, jaan: User, staff: User
) -> None:
    made = report(table, mari, say(table, jaan, "Ha"))
    other = member("treasurer")
    other.is_staff = True
    other.save()
    client.force_login(other)
    for model in ("report", "silence", "organiseract"):
        assert client.get(f"/admin/games/{model}/").status_code == 403
    client.force_login(User.objects.create_superuser(username="root", password="a good long password"))
    for address in (
        f"/admin/games/report/{made.pk}/change/",
        f"/admin/games/report/{made.pk}/delete/",
        "/admin/games/report/add/",
    ):
        assert client.post(address, {"state": "handled", "post": "yes"}).status_code == 403
    made.refresh_from_db()
    assert made.state == "open"


def test_the_group_of_organisers_has_its_right_and_the_task_forgets(
    table: Table, jaan: User, keeper: User
) -> None:
    assert keeper.has_perm("games.handle_reports") and not jaan.has_perm("games.handle_reports")
    line = say(table, jaan, "old")
    ChatLine.objects.filter(pk=line.pk).update(at=timezone.now() - dt.timedelta(days=91))
    tasks.forget_chat.run()
    assert not ChatLine.objects.exists()

"""The chat's rules: who writes where, who reads what, how much, how long."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from clubs.models import User
from games import selectors, services
from games.errors import TableRefusal
from games.messages import parse
from games.models import ChatLine, ChatMute, Report, Silence, Table
from games.phrases import PHRASES
from tests.games.chatting import FAR, finish, guest, organiser, said_just_now, say, say_long_ago
from tests.games.tables import member, open_table, start

pytestmark = pytest.mark.django_db


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
def tiit(table: Table) -> User:
    return member("tiit")


def read(table: Table, user: User | None) -> list[str]:
    return [line.words for line in selectors.readable_lines(table.id, user.pk if user else None)]


def refused(code: str) -> Any:
    return pytest.raises(TableRefusal, match=f"^{code}$")


# Who writes where ---------------------------------------------------------------------------------------------------


def test_a_member_writes_at_the_table_from_the_seat_and_everybody_reads_it(
    table: Table, mari: User, jaan: User, tiit: User
) -> None:
    line = say(table, mari, "Good cards to all")
    assert (line.room, line.seat, line.author) == ("table", 1, mari)
    for reader in (mari, jaan, tiit, None):
        assert read(table, reader) == ["Good cards to all"]


def test_what_watchers_write_is_kept_from_who_sits_until_the_match_is_over(
    table: Table, mari: User, tiit: User
) -> None:
    say(table, tiit, "Mari holds the joker")
    assert read(table, mari) == []
    assert read(table, None) == read(table, member("veljo")) == ["Mari holds the joker"]
    finish(table)
    assert read(table, mari) == ["Mari holds the joker"]


def test_a_member_who_left_is_a_watcher(table: Table, mari: User, jaan: User) -> None:
    services.leave_table(table_id=table.id, user_id=mari.pk)
    with refused("chat_members_only"):
        say(table, mari, "Still here", room="table")
    assert say(table, mari, "Still here").room == "watchers"
    assert read(table, jaan) == []


def test_each_room_refuses_those_of_the_other(table: Table, mari: User, tiit: User) -> None:
    with refused("chat_members_only"):
        say(table, tiit, "Hello", room="table")
    with refused("chat_watchers_only"):
        say(table, mari, "Hello", room="watchers")
    with refused("chat_bad_room"):
        say(table, mari, "Hello", room="kitchen")
    assert not ChatLine.objects.exists()


def test_a_table_that_is_not_there_refuses(mari: User) -> None:
    with refused("no_such_table"):
        services.say(table_id=uuid4(), user_id=mari.pk, text="Hello", command_id=uuid4())
    with refused("no_such_table"):
        selectors.readable_lines(uuid4(), mari.pk)


def test_guests_choose_phrases_only(table: Table) -> None:
    person = guest()
    with refused("chat_guests"):
        say(table, person, "Hello")
    assert say(table, person, phrase="hello").phrase == "hello"


@pytest.mark.parametrize("ago", [dt.timedelta(), dt.timedelta(minutes=9)])
def test_after_the_end_only_phrases_are_said(table: Table, mari: User, ago: dt.timedelta) -> None:
    finish(table, ago)
    with refused("chat_over"):
        say(table, mari, "And another thing")
    assert say(table, mari, phrase="good_game").words == "Thank you, good game."


def test_ten_minutes_after_the_end_the_chat_is_closed_and_left_to_those_who_sat_there(
    table: Table, mari: User, tiit: User
) -> None:
    say(table, mari, "Well met")
    finish(table, dt.timedelta(minutes=10, seconds=1))
    for person in (mari, tiit):
        with refused("chat_closed"):
            say(table, person, phrase="good_game")
    assert read(table, mari) == ["Well met"]
    assert read(table, tiit) == read(table, None) == []


# What may be written ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  two \t words\n", "two words"),
        ("õ" * 200, "õ" * 200),
        ("o\u0303", "õ"),
        ("\u00a0a\u2003b\u2028c", "a b c"),
        ("👩\u200d🎓", "👩\u200d🎓"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("https://example.org/", "https://example.org/"),
    ],
)
def test_a_text_is_kept_tidy(table: Table, mari: User, text: str, kept: str) -> None:
    assert say(table, mari, text).text == kept


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "a" * 201,
        "bell \x07",
        "nul \x00",
        "\x85\x9b",
        "turned \u202e round",
        "hidden \u200b blank",
        "\u200d",
        "\ud800",
        "\ue000",
        "z" + "\u0335" * 4,
        "\u0301",
    ],
)
def test_a_text_that_hides_or_shows_nothing_is_refused(table: Table, mari: User, text: str) -> None:
    with refused("chat_bad_text"):
        say(table, mari, text)


def test_a_phrase_is_read_in_the_reader_s_language(table: Table, mari: User) -> None:
    line = say(table, mari, phrase="well_played")
    assert (line.text, line.phrase) == ("", "well_played")
    with translation.override("en"):
        assert line.words == "Well played!"
    with refused("chat_bad_phrase"):
        say(table, mari, phrase="bad luck")


def test_every_phrase_can_be_kept() -> None:
    longest = ChatLine._meta.get_field("phrase").max_length
    assert longest is not None and all(0 < len(code) <= longest for code in PHRASES)


def test_a_repeated_command_writes_one_line(table: Table, mari: User) -> None:
    command = uuid4()
    lines = {say(table, mari, "Once", command_id=command).pk for _ in range(3)}
    assert len(lines) == ChatLine.objects.count() == 1


@pytest.mark.parametrize(
    "frame",
    [
        {"t": "say", "text": "x"},
        {"t": "say", "id": "1", "text": "x"},
        {"t": "say", "id": "%(id)s"},
        {"t": "say", "id": "%(id)s", "text": "x", "phrase": "hello"},
        {"t": "say", "id": "%(id)s", "text": 7},
        {"t": "say", "id": "%(id)s", "text": "x", "room": ["table"]},
        {"t": "say", "id": "%(id)s", "text": "nul \x00"},
        {"t": "mute"},
        {"t": "mute", "line": "1"},
        {"t": "chat_since", "id": -1},
        {"t": "chat_since", "id": True},
    ],
)
def test_a_frame_of_the_chat_that_is_not_a_message_is_refused(frame: dict[str, Any]) -> None:
    with refused("bad_message"):
        parse(json.dumps(frame).replace("%(id)s", str(uuid4())))


# How much -----------------------------------------------------------------------------------------------------------


def test_six_lines_in_ten_seconds_are_one_too_many_at_all_tables_together(
    table: Table, mari: User, tiit: User
) -> None:
    other = open_table("three_card_loo", mari)
    for n in range(5):
        say(table if n % 2 else other, mari, f"line {n}")
    said_just_now()
    for there in (table, other):
        with refused("chat_too_fast"):
            say(there, mari, "line 5")
    assert say(table, tiit, "Somebody else may").pk


def test_twenty_one_lines_in_two_minutes_are_one_too_many(table: Table, mari: User) -> None:
    for n in range(20):
        say_long_ago(table, mari, f"line {n}", dt.timedelta(seconds=11 + n * 5))
    with refused("chat_too_fast"):
        say(table, mari, "line 20")
    ChatLine.objects.update(at=timezone.now() - dt.timedelta(seconds=121))
    assert say(table, mari, "line 20").pk


# Mutes --------------------------------------------------------------------------------------------------------------


def test_a_muted_author_is_not_read_at_any_table_and_not_told(
    table: Table, mari: User, jaan: User, tiit: User
) -> None:
    other = open_table("least_score", jaan)
    line = say(table, jaan, "Ha ha")
    say(other, jaan, "Ha ha there")
    services.mute_author(table_id=table.id, line_id=line.pk, user_id=mari.pk)
    assert read(table, mari) == read(other, mari) == []
    assert read(table, jaan) == read(table, tiit) == ["Ha ha"]
    assert say(table, jaan, "More").pk and read(table, mari) == []
    assert [mute.muted for mute in selectors.muted_by(mari.pk)] == [jaan]
    assert selectors.muted_by(jaan.pk) == []
    services.unmute(user_id=mari.pk, muted_id=jaan.pk)
    assert read(table, mari) == ["Ha ha", "More"]


def test_only_the_author_of_a_line_that_one_reads_is_muted(table: Table, mari: User, tiit: User) -> None:
    own, hidden = say(table, mari, "Mine"), say(table, tiit, "Watchers'")
    for line_id, code in ((own.pk, "not_yourself"), (hidden.pk, "no_such_line"), (2**40, "no_such_line")):
        with refused(code):
            services.mute_author(table_id=table.id, line_id=line_id, user_id=mari.pk)
    assert not ChatMute.objects.exists()


# Watching later -----------------------------------------------------------------------------------------------------


def test_those_who_watch_with_a_delay_read_with_it_and_their_own_lines_at_once(
    table: Table, mari: User, jaan: User, tiit: User
) -> None:
    Table.objects.filter(pk=table.pk).update(watch_delay=30)
    old = say_long_ago(table, mari, "old")
    say(table, mari, "new")
    say(table, tiit, "mine")
    assert read(table, jaan) == ["old", "new"]
    assert read(table, None) == ["old"]
    assert read(table, tiit) == ["old", "mine"]
    chat = selectors.TableChat(table.id, [tiit.pk, jaan.pk])
    assert chat.history(tiit.pk).to == old.pk
    wait = chat.next_ripe(tiit.pk)
    assert wait is not None and dt.timedelta(seconds=25) < wait <= dt.timedelta(seconds=30)
    assert chat.next_ripe(jaan.pk) is None


def test_history_is_fifty_lines_whatever_the_other_room_holds(table: Table, mari: User, tiit: User) -> None:
    rows = [
        ChatLine(table=table, room=room, author=author, seat=seat, text=f"{n}", at=timezone.now())
        for room, author, seat, count in (("table", mari, 1, 60), ("watchers", tiit, None, 300))
        for n in range(count)
    ]
    ChatLine.objects.bulk_create(rows)
    chat = selectors.TableChat(table.id, [mari.pk, tiit.pk])
    assert [line.text for line in chat.history(mari.pk).lines] == [str(n) for n in range(10, 60)]
    assert len(chat.history(tiit.pk).lines) == 50


def test_what_came_since_a_line_ends_where_the_reader_may_read(table: Table, mari: User, tiit: User) -> None:
    first, hidden = say(table, mari, "one"), say(table, tiit, "two")
    page = selectors.TableChat(table.id, [mari.pk], after=first.pk).since(mari.pk, first.pk)
    assert (page.lines, page.after, page.to, page.whole) == ([], first.pk, hidden.pk, False)


def test_the_chat_is_read_in_a_few_queries_for_any_number_of_readers(
    table: Table, mari: User, django_assert_num_queries: Any
) -> None:
    people = [member(f"m{n}") for n in range(20)]
    for person in people[:10]:
        say(table, person, "Hello")
    with django_assert_num_queries(7):
        chat = selectors.TableChat(table.id, [person.pk for person in people])
        pages = [chat.history(person.pk) for person in people]
        assert {line.author.shown_name for page in pages for line in page.lines if line.author} > {"m0"}


# Silences, erasure --------------------------------------------------------------------------------------------------


def test_the_silenced_are_told_until_when_in_the_language_of_the_site(
    table: Table, mari: User, jaan: User
) -> None:
    until = timezone.now() + dt.timedelta(hours=3)
    Silence.objects.create(user=mari, table=table, until=until, why="shouting")
    with refused("silenced") as caught:
        say(table, mari, phrase="sorry")
    moment = timezone.localtime(until)
    assert f"{moment:%H:%M}" in caught.value.message and "until" in caught.value.message
    assert say(table, jaan, "I may").pk
    assert say(open_table("least_score", mari), mari, "Elsewhere I may").pk


def test_a_silence_everywhere_holds_at_every_table_and_ends_by_itself(table: Table, mari: User) -> None:
    made = Silence.objects.create(user=mari, until=timezone.now() + FAR, why="shouting")
    with refused("silenced"):
        say(open_table("least_score", mari), mari, "Hello")
    Silence.objects.filter(pk=made.pk).update(
        at=timezone.now() - 2 * FAR, until=timezone.now() - dt.timedelta(seconds=1)
    )
    assert say(table, mari, "Hello again").pk


def test_the_lines_of_an_erased_member_lose_their_author(table: Table, mari: User, tiit: User) -> None:
    say(table, tiit, "I was here")
    tiit.delete()
    line = ChatLine.objects.get()
    assert line.author is None and read(table, None) == ["I was here"]
    with refused("no_such_line"):
        services.mute_author(table_id=table.id, line_id=line.pk, user_id=member("veljo").pk)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "a", "phrase": "hello"},
        {"text": "", "phrase": ""},
        {"text": "bell \x07"},
        {"text": "del \x7f"},
        {"room": "kitchen"},
        {"room": "watchers"},
        {"seat": None},
    ],
)
def test_the_database_itself_refuses_a_bad_line(table: Table, mari: User, changes: dict[str, Any]) -> None:
    line = {"table": table, "room": "table", "author": mari, "seat": 1, "text": "a", "at": timezone.now()}
    ChatLine.objects.create(**line)
    with pytest.raises(IntegrityError), transaction.atomic():
        ChatLine.objects.create(**{**line, **changes})


def test_the_database_itself_keeps_mutes_and_reports_to_other_people(table: Table, mari: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        ChatMute.objects.create(muter=mari, muted=mari)
    with pytest.raises(IntegrityError), transaction.atomic():
        Report.objects.create(reporter=mari, reported=mari, table=table, reason="bug")
    with pytest.raises(IntegrityError), transaction.atomic():
        Report.objects.create(reporter=mari, table=table, reason="bug", state="handled")


# Retention ----------------------------------------------------------------------------------------------------------


def test_lines_go_after_ninety_days_and_reports_a_year_after_they_were_handled(
    table: Table, mari: User, jaan: User
) -> None:
    day = dt.timedelta(days=1)
    keeper = organiser()
    old = say_long_ago(table, jaan, "old", 91 * day)
    kept = say_long_ago(table, jaan, "kept", 89 * day)
    reports = [
        services.report(table_id=table.id, reporter_id=mari.pk, reason="abuse", line_ids=[old.pk])
        for _ in range(3)
    ]
    for made in reports[:2]:
        services.dismiss_report(organiser=keeper, report_id=made.pk, why="nothing in it")
    now = timezone.now()
    Report.objects.filter(pk=reports[0].pk).update(handled_at=now - 366 * day)
    Report.objects.filter(pk=reports[1].pk).update(handled_at=now - 364 * day)
    Report.objects.update(at=now - 2000 * day)
    assert services.forget_chat() == 2
    assert list(ChatLine.objects.all()) == [kept]
    assert set(Report.objects.all()) == set(reports[1:])
    assert all(made.evidence[0]["text"] == "old" for made in Report.objects.all())
    assert services.forget_chat() == 0

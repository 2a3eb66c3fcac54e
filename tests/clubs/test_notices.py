"""What people are told, once and as they want it: on the site, by mail, and no more mails by one click."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress
from django.core import mail, signing
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from django.utils.translation import gettext, override

from clubs import services
from clubs.models import FIRST_CLUB, Club, Membership, Notice, NoticeSettings, User
from clubs.services import mailing
from clubs.services.notices import next_digest
from clubs.services.unsubscribing import EVERYTHING, stop_token
from tests.clubs.test_doors import member

pytestmark = pytest.mark.django_db

NOW, DAILY, OFF = NoticeSettings.Mails.AT_ONCE, NoticeSettings.Mails.DAILY, NoticeSettings.Mails.OFF


@pytest.fixture(autouse=True)
def site_that_mails(settings: Any) -> None:
    settings.MAIL_BY_HAND = False
    settings.SITE_URL = "https://club.example"


@pytest.fixture
def mari() -> User:
    return member(display_name="Mari", language="en")


def tell(*users: User, kind: str = "join_answer", key: str = "join_answer:1", **more: Any) -> None:
    about = {"club": "Kaardiklubi", "accepted": True, **more}
    services.notify(users=users, kind=kind, key=key, address="/clubs/", about=about, club_id=FIRST_CLUB)


def wants(user: User, mails: str = NOW, *, site: tuple[str, ...] = (), mail: tuple[str, ...] = ()) -> None:
    services.choose_notices(user=user, mails=mails, quiet_site=site, quiet_mail=mail)


def unread(client: Client) -> str:
    return client.get("/notifications/count/").content.decode()


def signed_in(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def test_the_same_thing_is_told_once_however_often_and_leads_to_its_page(mari: User) -> None:
    for written in (1, 0, 0):
        tell(mari)
        assert services.send_due_mails() == written
    assert len(mail.outbox) == 1 and Notice.objects.count() == 1
    browser = signed_in(mari)
    assert "1 new" in unread(browser)
    page = browser.get("/notifications/").content.decode()
    assert "You are a member of Kaardiklubi now." in page
    assert browser.get(f"/notifications/{Notice.objects.get().pk}/").headers["Location"] == "/clubs/"
    assert "new" not in unread(browser)
    tell(mari)
    assert "new" not in unread(browser), "what was read is not told again"


@pytest.mark.parametrize(
    ("changes", "told", "mailed"),
    [
        ({}, True, True),
        ({"is_guest": True}, False, False),
        ({"is_bot": True}, False, False),
        ({"is_active": False}, False, False),
        ({"verified": False}, True, False),
        ({"by_hand": True}, True, False),
    ],
)
def test_nobody_is_told_who_is_nobody_and_no_mail_goes_where_it_must_not(
    settings: Any, mari: User, changes: dict[str, bool], told: bool, mailed: bool
) -> None:
    settings.MAIL_BY_HAND = changes.pop("by_hand", False)
    EmailAddress.objects.update(verified=changes.pop("verified", True))
    for name, value in changes.items():
        setattr(mari, name, value)
    mari.save()
    tell(mari)
    services.send_due_mails()
    assert (Notice.objects.exists(), bool(mail.outbox)) == (told, mailed)
    assert not Notice.objects.filter(mail_due_at__isnull=False).exists(), "nothing waits for ever"


@pytest.mark.parametrize(
    ("mails", "quiet_site", "quiet_mail", "on_site", "mailed"),
    [
        (NOW, (), (), True, True),
        (NOW, ("join_answer",), (), False, True),
        (NOW, (), ("join_answer",), True, False),
        (NOW, ("turn",), ("turn",), True, True),
        (OFF, (), (), True, False),
        (OFF, ("join_answer",), (), None, False),
        (DAILY, (), (), True, False),
    ],
)
@pytest.mark.parametrize("chosen_first", [True, False])
def test_each_kind_is_told_in_the_ways_that_the_person_left_on(
    mari: User,
    mails: str,
    quiet_site: tuple[str, ...],
    quiet_mail: tuple[str, ...],
    on_site: bool | None,
    mailed: bool,
    chosen_first: bool,
) -> None:
    if not chosen_first:
        tell(mari, key="join_answer:before")
    wants(mari, mails, site=quiet_site, mail=quiet_mail)
    if chosen_first:
        tell(mari)
        assert Notice.objects.values_list("on_site", flat=True).first() == on_site
    services.send_due_mails()
    assert bool(mail.outbox) == mailed, "what was chosen counts for mails that waited, too"


def test_the_form_switches_ways_off_and_keeps_what_it_does_not_show(mari: User) -> None:
    wants(mari, mail=("approval",))
    browser = signed_in(mari)
    page = browser.get("/settings/notifications/").content.decode()
    assert 'value="turn"' in page and 'value="approval"' not in page and 'value="join_request"' not in page
    sent = {"mails": DAILY, "site": ["join_answer", "drawn"], "mail": ["turn"]}
    assert browser.post("/settings/notifications/", sent).status_code == 302
    kept = NoticeSettings.objects.get(user=mari)
    assert kept.mails == DAILY
    assert "approval" in kept.quiet_mail and "approval" not in kept.quiet_site
    assert not {"join_answer", "drawn"} & set(kept.quiet_site) and "turn" in kept.quiet_site
    assert "turn" not in kept.quiet_mail and "drawn" in kept.quiet_mail
    assert browser.post("/settings/notifications/", {"mails": "hourly"}).status_code == 422


@pytest.mark.parametrize("language", ["en", "et"])
def test_the_mail_of_the_day_tells_all_at_once_in_the_persons_language(mari: User, language: str) -> None:
    mari.language = language
    mari.save()
    wants(mari, DAILY)
    for number in range(3):
        tell(mari, key=f"join_answer:{number}")
    tell(mari, key="join_answer:read")
    services.settle_notices(keys=["join_answer:read"])
    assert services.send_due_mails() == 0
    Notice.objects.filter(mail_due_at__isnull=False).update(mail_due_at=timezone.now())
    assert [services.send_due_mails(), services.send_due_mails()] == [1, 0]
    [letter] = mail.outbox
    with override(language):
        sentence = gettext("You are a member of %(club)s now.") % {"club": "Kaardiklubi"}
    assert letter.to == ["mari@club.example"] and str(letter.body).count(sentence) == 3
    assert "3" in letter.subject and "https://club.example/clubs/" in letter.body


def test_the_day_of_a_mail_ends_before_its_hour_and_the_clock_change_moves_nothing() -> None:
    zone = ZoneInfo("Europe/Tallinn")
    cases = {
        (2026, 3, 28, 12, 0): (2026, 3, 28),
        (2026, 3, 28, 16, 54): (2026, 3, 28),
        (2026, 3, 28, 16, 56): (2026, 3, 29),
        (2026, 3, 28, 23, 59): (2026, 3, 29),
        (2026, 10, 24, 18, 0): (2026, 10, 25),
    }
    for told, day in cases.items():
        due = next_digest(dt.datetime(*told, tzinfo=zone))  # type: ignore[arg-type]
        assert due == dt.datetime(*day, 17, tzinfo=zone), told  # type: ignore[arg-type]


def test_a_fault_with_one_persons_mail_holds_no_other_up(
    mari: User, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    jaan = member("jaan", "jaan@club.example")
    tell(mari, jaan)
    whole = mailing._mail

    def broken(user: User, *more: Any) -> Any:
        if user == mari:
            raise ValueError("no such template")
        return whole(user, *more)

    monkeypatch.setattr(mailing, "_mail", broken)
    assert services.send_due_mails() == 1
    assert [each.to for each in mail.outbox] == [["jaan@club.example"]]
    assert "no mail about notices" in caplog.text
    monkeypatch.setattr(mailing, "_mail", whole)
    assert services.send_due_mails() == 1, "it is tried again"


def stop_link(letter: Any) -> str:
    return str(letter.extra_headers["List-Unsubscribe"]).strip("<>").removeprefix("https://club.example")


def test_a_mail_can_be_stopped_by_one_click_without_signing_in(mari: User) -> None:
    tell(mari)
    services.send_due_mails()
    [letter] = mail.outbox
    assert f"\n{letter.subject.partition(': ')[2]}\n" in letter.body, "the subject is what the mail tells"
    sent = letter.message()
    assert sent["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent["List-Unsubscribe"].startswith("<https://club.example/notifications/off/")
    assert stop_link(letter) in letter.body
    strange = Client(enforce_csrf_checks=True)
    page = strange.get(stop_link(letter))
    assert page.status_code == 200 and "Mari" not in page.content.decode()
    assert not NoticeSettings.objects.exists(), "looking at the link changes nothing"
    tell(mari, key="join_answer:2")
    for _ in range(2):  # a repeated click does no harm
        answer = strange.post(stop_link(letter), {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
    assert NoticeSettings.objects.get().quiet_mail == ["join_answer"]
    tell(mari, key="join_answer:3")
    assert services.send_due_mails() == 0
    assert Notice.objects.filter(on_site=True).count() == 3, "the site's list stays"


@pytest.mark.parametrize(("mails", "kinds"), [(DAILY, ("join_answer",)), (NOW, ("join_answer", "turn"))])
def test_a_mail_that_tells_of_more_is_stopped_as_a_whole(
    mari: User, mails: str, kinds: tuple[str, ...]
) -> None:
    wants(mari, mails)
    for kind in kinds:
        tell(mari, kind=kind, key=f"{kind}:1", game="least_score")
    Notice.objects.update(mail_due_at=timezone.now())
    services.send_due_mails()
    [letter] = mail.outbox
    Client().post(stop_link(letter))
    assert NoticeSettings.objects.get(user=mari).mails == OFF


def test_a_link_that_stops_mails_works_for_whom_it_was_signed_and_nobody_else(mari: User) -> None:
    jaan = member("jaan", "jaan@club.example")
    good = stop_token(user=mari, kind="turn")
    body, stamp, signature = good.split(":")
    theirs = stop_token(user=jaan, kind="turn").split(":")
    gone = User.objects.create_user("gone")
    forged = {
        "another person under this signature": f"{theirs[0]}:{stamp}:{signature}",
        "another kind under this signature": f"{stop_token(user=mari, kind=EVERYTHING).split(':')[0]}:{stamp}:{signature}",
        "cut short": f"{body}:{stamp}:{signature[:-1]}",
        "unsigned": body,
        "signed for something else": signing.dumps([mari.pk, "turn"], salt="password"),
        "a kind that is none": stop_token(user=mari, kind="nothing"),
        "somebody who is not there": signing.dumps([10**9, "turn"], salt="clubs.services.unsubscribing"),
        "somebody erased": stop_token(user=gone, kind="turn"),
    }
    services.erase(user=gone)
    for what, token in forged.items():
        for method in ("get", "post"):
            assert getattr(Client(), method)(f"/notifications/off/{token}/").status_code == 404, what
    assert not NoticeSettings.objects.exists()
    assert signed_in(jaan).post(f"/notifications/off/{good}/").status_code == 200
    assert [row.user for row in NoticeSettings.objects.all()] == [mari], "whoever opens it, it is Mari's"


def test_an_old_key_of_the_site_still_stops_mails(mari: User, settings: Any) -> None:
    token = stop_token(user=mari, kind="turn")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key " * 5, [settings.SECRET_KEY]
    assert Client().post(f"/notifications/off/{token}/").status_code == 200


def test_what_others_were_told_is_out_of_reach(mari: User) -> None:
    jaan = member("jaan", "jaan@club.example")
    tell(mari)
    found = Notice.objects.get()
    browser = signed_in(jaan)
    assert browser.get(f"/notifications/{found.pk}/").status_code == 404
    browser.post("/notifications/read/")
    found.refresh_from_db()
    assert found.read_at is None and "Kaardiklubi" not in browser.get("/notifications/").content.decode()
    signed_in(mari).post("/notifications/read/")
    found.refresh_from_db()
    assert found.read_at is not None


def test_the_page_that_is_shown_counts_as_read_and_no_mail_follows(mari: User) -> None:
    Club.objects.filter(pk=FIRST_CLUB).update(listed=True)
    other = Club.objects.create(slug="other", name="Other", founded_at=timezone.now())
    tell(mari)
    Notice.objects.update(address=f"/clubs/{other.slug}/")
    browser = signed_in(mari)
    assert "1 new" in browser.get("/learn/").content.decode()
    assert "1 new" not in browser.get(f"/clubs/{other.slug}/").content.decode()
    assert services.send_due_mails() == 0


@pytest.mark.parametrize("address", ["//evil.example/", "https://evil.example/", "/\\evil.example", ""])
def test_a_notification_never_leads_away_from_the_site(mari: User, address: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Notice.objects.create(user=mari, kind="turn", key="turn:x", address=address)


def test_old_notifications_go_and_who_leaves_a_club_is_told_nothing_of_it(mari: User) -> None:
    ages = {"read": 91, "fresh": 89, "unread": 91, "ancient": 366}
    for key, days in ages.items():
        tell(mari, key=key)
        Notice.objects.filter(key=key).update(told_at=timezone.now() - dt.timedelta(days=days))
    services.settle_notices(keys=["read", "fresh"])
    assert services.forget_notices() == 2
    assert set(Notice.objects.values_list("key", flat=True)) == {"fresh", "unread"}
    Membership.objects.create(club_id=FIRST_CLUB, user=mari)
    services.leave_club(club=Club.objects.get(pk=FIRST_CLUB), user=mari)
    assert not Notice.objects.exists()


def test_a_request_to_join_tells_who_may_admit_until_it_is_decided_and_then_who_asked(mari: User) -> None:
    club = Club.objects.get(pk=FIRST_CLUB)
    Club.objects.filter(pk=club.pk).update(joining="request", founded_at=timezone.now())
    olga, piret = member("olga", "olga@club.example"), member("piret", "piret@club.example")
    Membership.objects.create(club=club, user=olga, roles=["organiser"])
    Membership.objects.create(club=club, user=piret)
    ends = {
        "withdrawn": lambda asked: services.withdraw_request(club=club, user=mari),
        "refused": lambda asked: services.decide_request(
            club=club, by=olga, request_id=asked.pk, accept=False
        ),
        "accepted": lambda asked: services.decide_request(
            club=club, by=olga, request_id=asked.pk, accept=True
        ),
    }
    for how, end in ends.items():
        asked = services.ask_to_join(club=club, user=mari)
        waiting = Notice.objects.filter(kind="join_request", read_at=None)
        assert [row.user for row in waiting] == [olga], how
        end(asked)
        assert not waiting.all().exists(), how
    answers = Notice.objects.filter(user=mari, kind="join_answer").order_by("pk")
    assert [row.about["accepted"] for row in answers] == [False, True]


def test_what_was_told_is_part_of_the_own_data_and_goes_with_the_person(mari: User) -> None:
    tell(mari)
    wants(mari, OFF)
    told = services.all_about(user=mari)["notifications"]
    assert told["mails"] == "off" and [row["kind"] for row in told["told"]] == ["join_answer"]
    services.erase(user=mari)
    assert not Notice.objects.exists() and not NoticeSettings.objects.exists()

"""The doors: signing up, in and out, with what people try who should not get in."""

from __future__ import annotations

import re
from http.client import responses

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse

from clubs.models import User
from clubs.urls import doors, own
from tests.browser.whole_club import second_factor
from tests.games.test_pages import form_data

pytestmark = pytest.mark.django_db

PASSWORD = "a good long password"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
MARI = {"name": "Mari Maasikas", "email": "mari@club.example", "password1": PASSWORD}


def member(username: str = "mari", email: str = "mari@club.example", **more: object) -> User:
    user = User.objects.create_user(username, email, PASSWORD, **more)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=True)
    return user


def who(client: Client) -> str | None:
    """The user name of who is signed in."""
    found = User.objects.filter(pk=client.session.get("_auth_user_id") or 0).first()
    return found.username if found else None


def sign_in(client: Client, login: str, password: str = PASSWORD, **more: object):
    return client.post("/sign-in/", {"login": login, "password": password, **more})


def code_of_now(secret: str) -> str:
    """What the app shows. The half minute before is good, too, but may be over before a test has sent its code."""
    counters = list(yield_hotp_counters_from_time())
    return format_hotp_value(hotp_value(secret, counters[len(counters) // 2]))


@pytest.mark.parametrize("login", ["mari", "MARI", "mari@club.example", "Mari@Club.Example"])
def test_a_member_signs_in_by_user_name_or_address_under_a_new_session_key(client, login):
    member()
    client.get("/")
    client.session.save()
    session = client.session
    session["kept"] = "since before"
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = before = session.session_key
    assert sign_in(client, login)["Location"] == "/"
    assert who(client) == "mari"
    assert client.session.session_key != before and not client.session.exists(before)


def test_a_newcomer_signs_up_plays_at_once_and_confirms_the_address_later(client):
    assert client.post("/sign-up/", MARI)["Location"] == "/"
    user = User.objects.get(display_name="Mari Maasikas")
    assert who(client) == user.username == "mari-maasikas" and not user.is_guest
    [letter] = mail.outbox
    assert letter.to == ["mari@club.example"]
    [link] = re.findall(r"http://testserver(/email/\S+)", letter.body)
    Client().post(link)
    assert EmailAddress.objects.get(user=user).verified
    client.post("/sign-out/")
    assert who(client) is None
    assert sign_in(client, "mari@club.example").status_code == 302 and who(client)


def test_a_forgotten_password_is_replaced_once_and_every_other_session_ends(client):
    member()
    elsewhere = Client()
    sign_in(elsewhere, "mari")
    client.post("/password/", {"email": "mari@club.example"})
    [link] = re.findall(r"http://testserver(/password/\S+)", mail.outbox[0].body)
    form = client.get(link, follow=True)
    new = {"password1": "another long password", "password2": "another long password"}
    slip = client.post(form.request["PATH_INFO"], {**new, "password2": "another longer password"})
    assert "two passwords are not the same" in slip.content.decode()
    assert client.post(form.request["PATH_INFO"], new)["Location"] == "/password/new/"
    assert elsewhere.get("/settings/")["Location"].startswith("/sign-in/")
    assert sign_in(Client(), "mari").status_code == 200
    assert sign_in(client, "mari", "another long password").status_code == 302
    assert "used already" in Client().get(link, follow=True).content.decode()


def test_a_forgotten_password_is_no_dead_end_for_whoever_is_signed_in(client):
    client.force_login(member())
    for path in ("/settings/password/", "/sign-in/again/"):
        assert 'href="/password/"' in client.get(path).content.decode(), path
    assert 'way-back"><a href="/settings/"' in client.get("/password/").content.decode()


@pytest.mark.parametrize("path", ["/sign-in/again/", "/sign-in/again/code/", "/sign-in/again/passkey/"])
def test_ways_to_show_who_one_is_are_not_shuffled_by_another_language(client, path):
    user = member()
    second_factor(user)
    client.force_login(user)
    ways = {}
    for language in ("et", "en"):
        page = client.get(path, headers={"accept-language": language}).content.decode()
        assert f'lang="{language}"' in page
        ways[language] = re.findall(r'<li><a href="(/sign-in/again/[^"?]*)', page)
    assert ways["et"] == ways["en"] and len(ways["et"]) == 2


def test_a_mail_about_a_change_is_in_the_owners_language_and_says_what_to_do_if_it_was_somebody_else(client):
    member(display_name="Mari", language="et")
    client.post("/password/", {"email": "mari@club.example"})
    [link] = re.findall(r"http://testserver(/password/\S+)", mail.outbox[0].body)
    form = client.get(link, follow=True)
    new = {"password1": "another long password", "password2": "another long password"}
    client.post(form.request["PATH_INFO"], new, headers={"user-agent": FIREFOX, "accept-language": "en"})
    letter = mail.outbox[1].body
    assert letter.startswith("Tere, Mari!")
    assert "Firefox" in letter and "Mozilla" not in letter, "nobody reads what a browser says of itself"
    assert f"{settings.SITE_URL}/password/" in letter and f"{settings.SITE_URL}/settings/sessions/" in letter


# What must not be told -----------------------------------------------------------------------------------------------


def words(response) -> str:
    """An answer without what differs from one request to the next."""
    text = re.sub(r'csrfmiddlewaretoken" value="\w+"', "", response.content.decode())
    return re.sub(r"(un)?known@\S+?(?=[\"< ])|value=\"\w+\"", "", text) + responses[response.status_code]


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/sign-in/", {"login": "{}known", "password": "wrong"}),
        ("/sign-in/", {"login": "{}known@club.example", "password": "wrong"}),
        ("/password/", {"email": "{}known@club.example"}),
        ("/sign-up/", {"name": "Somebody Else", "email": "{}known@club.example", "password1": PASSWORD}),
    ],
)
def test_no_answer_tells_whether_an_address_or_a_user_name_is_known(address, form):
    member("known", "known@club.example")
    answers = []
    for prefix in ("", "un"):
        mail.outbox.clear()
        filled = {name: value.format(prefix) for name, value in form.items()}
        filled["name"] = filled.get("name", "") + prefix
        answer = Client().post(address, filled, follow=True)
        answers.append((words(answer).replace("Elseun", "Else"), answer.redirect_chain, len(mail.outbox)))
    assert answers[0] == answers[1]


def test_an_address_that_two_people_gave_belongs_to_who_confirms_it(client):
    member("first", "known@club.example", display_name="First")
    client.post("/sign-up/", {"name": "Thief", "email": "known@club.example", "password1": PASSWORD + "!"})
    thief = User.objects.get(display_name="Thief")
    assert not EmailAddress.objects.filter(user=thief, verified=True).exists()
    mail.outbox.clear()
    Client().post("/password/", {"email": "known@club.example"})
    assert ["first" in letter.body for letter in mail.outbox] == [True]


# What must be slow ---------------------------------------------------------------------------------------------------


def test_passwords_cannot_be_guessed_one_after_the_other(client):
    member()
    for _ in range(5):
        assert "do not go together" in sign_in(client, "mari", "wrong").content.decode()
    refused = sign_in(client, "mari")
    assert "Too many attempts" in refused.content.decode() and who(client) is None


def test_nobody_signs_up_or_becomes_a_guest_by_the_dozen(client):
    statuses = []
    for number in range(11):
        filled = {**MARI, "name": f"Robot {number}", "email": f"robot{number}@club.example"}
        statuses.append(Client().post("/sign-up/", filled).status_code)
    assert statuses == [302] * 10 + [429]
    form = form_data(client, "least_score", declare_cap="None")
    plays = [Client().post("/play/", form).status_code for _ in range(31)]
    assert plays == [302] * 30 + [429]
    assert User.objects.filter(is_guest=True).count() == 30


@pytest.mark.parametrize(
    ("proxies", "forwarded", "same"),
    [
        (0, ["198.51.100.1", "198.51.100.2"], True),
        (1, ["198.51.100.1", "198.51.100.2"], False),
        (1, ["203.0.113.1, 198.51.100.1", "203.0.113.2, 198.51.100.1"], True),
    ],
)
def test_behind_a_proxy_each_client_is_counted_and_without_one_nobody_can_pretend(
    settings, proxies, forwarded, same
):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    statuses = []
    for address in forwarded:
        for number in range(10):
            filled = {
                **MARI,
                "name": f"R {address[-1]} {address[8]} {number}",
                "email": f"r{number}@club.example",
            }
            statuses.append(
                Client(headers={"x-forwarded-for": address}).post("/sign-up/", filled).status_code
            )
    assert (429 in statuses) == same


# What must not be let in ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_no_door_leads_to_another_site(client, target):
    member()
    assert sign_in(client, "mari", next=target)["Location"] == "/"
    assert client.post("/sign-out/", {"next": target})["Location"] == "/"
    assert client.post("/sign-up/", {**MARI, "email": "x@club.example", "next": target})["Location"] == "/"
    for page in ("/sign-in/", "/sign-up/", "/settings/erase/", "/admin/login/"):
        leads = client.get(page, {"next": target}).headers.get("Location", "/")
        assert leads.startswith("/") and not leads.startswith("//"), leads


def test_every_form_about_oneself_wants_its_token():
    client = Client(enforce_csrf_checks=True)
    client.force_login(member())
    for route in (*doors, *own):
        named = route.pattern.converters or route.pattern.regex.groupindex
        arguments = dict.fromkeys(named, "1")
        assert client.post(reverse(route.name, kwargs=arguments)).status_code == 403, route.name


def test_a_form_that_was_open_too_long_is_refused_on_a_page_of_the_site_with_a_way_back():
    client = Client(enforce_csrf_checks=True, headers={"accept-language": "et"})
    answer = client.post("/i18n/setlang/", {"language": "et"})
    page = answer.content.decode()
    assert answer.status_code == 403 and '<html lang="et"' in page
    assert (
        'class="error-page"' in page
        and 'class="button quiet" href="/"' in page
        and 'href="/sign-in/"' in page
    )


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("<script>alert(1)</script>", "letters, digits"),
        ("Mari\u202emasaa", "letters, digits"),
        ("Мari", "one alphabet"),
        ("Mari  MAASIKAS", "has that name"),
        ("Mari_Maasikas!", "has that name"),
        ("Guest 1234", "guests are called"),
        ("---", "at least one letter"),
    ],
)
def test_a_name_that_deceives_is_refused(client, name, code):
    member(display_name="Mari Maasikas")
    answer = client.post("/sign-up/", {**MARI, "name": name, "email": "x@club.example"})
    assert answer.status_code == 200 and code in answer.content.decode()
    assert "<script>alert" not in answer.content.decode()


def test_the_admin_has_no_door_of_its_own(client):
    member("keeper", "keeper@club.example", is_staff=True, is_superuser=True)
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == "/sign-in/?next=%2Fadmin%2F"
    posted = client.post("/admin/login/", {"username": "keeper", "password": PASSWORD})
    assert posted.status_code == 302 and who(client) is None
    client.force_login(member("guest-1", "g@club.example", is_guest=True))
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/sign-in/?next=/admin")

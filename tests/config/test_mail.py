"""Mails: through a worker to the mail server, or into a folder for a keeper."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import transaction

from config import mail as later

TEXT = "Tere! A link:\n\nhttps://club.example/password/1-abc/\n"


def letter() -> EmailMultiAlternatives:
    message = EmailMultiAlternatives("Tere õhtust", TEXT, "club@club.example", ["mari@club.example"])
    message.attach_alternative("<p>Tere</p>", "text/html")
    return message


@pytest.mark.django_db
def test_a_mail_leaves_after_the_commit_and_arrives_as_it_was_written(
    monkeypatch, settings, django_capture_on_commit_callbacks
):
    handed = []
    monkeypatch.setattr(later.deliver, "delay", handed.append)
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        assert later.LaterBackend().send_messages([letter()]) == 1
        assert handed == []
    settings.MAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    later.deliver.run(handed[0])
    later.deliver.run(handed[0])
    sent, again = (message.message().as_string() for message in mail.outbox)
    expected = letter().message().as_string()

    def body(text: str) -> list[str]:
        return [
            line
            for line in text.splitlines()
            if not line.startswith(("Date", "Message-ID", "--=", "Content-Type: multipart", " boundary"))
        ]

    assert body(sent) == body(expected) == body(again)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "django.core.mail.backends.filebased.EmailBackend True noreply@localhost"),
        (
            {"EMAIL_URL": "smtp+tls://u:p%40ss@mail.example:587", "MAIL_FROM": "Club <c@club.example>"},
            "config.mail.LaterBackend False Club <c@club.example> mail.example 587 True p@ss",
        ),
    ],
)
def test_the_environment_says_where_mails_go(environment, expected, tmp_path):
    program = (
        "from config import settings as s; print(s.EMAIL_BACKEND, s.MAIL_BY_HAND, s.DEFAULT_FROM_EMAIL, *("
        "(s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_USE_TLS, s.EMAIL_HOST_PASSWORD) if s.EMAIL_URL else ()))"
    )
    bare = {name: value for name, value in os.environ.items() if name not in ("EMAIL_URL", "MAIL_FROM")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**bare, "VAR_DIR": str(tmp_path), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected

"""The doctor's look at the settings: secrets, names, TLS, mail, and what Django itself says about a deployment."""

from __future__ import annotations

from collections.abc import Iterator
from smtplib import SMTPException
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import ERROR, run_checks
from django.core.mail import get_connection
from django.utils.translation import gettext as _

from config.doctor.findings import FAILURE, WARNING, Finding

HERE = {"localhost", "127.0.0.1", "[::1]", "::1", "testserver"}
# What BEHIND_TLS decides; told once, by `tls`, and in its own words.
TOLD_BY_TLS = {f"security.W{number}" for number in ("004", "008", "012", "016")}
TOLD_HERE = {"security.W009", "security.W018", "security.W020"}
KEY_LENGTH, KEY_VARIETY = 40, 8
SMTP = "django.core.mail.backends.smtp.EmailBackend"


def secret_key() -> Iterator[Finding]:
    """The key that signs sessions cannot be guessed."""
    key = str(settings.SECRET_KEY)
    if len(key) < KEY_LENGTH or len(set(key)) < KEY_VARIETY or key.startswith("django-insecure-"):
        yield Finding(
            "secret_key_weak",
            _("SECRET_KEY is short or plain: whoever guesses it signs in as anybody."),
            _("Make one with `python -c 'import secrets; print(secrets.token_urlsafe(64))'`."),
        )


def debug() -> Iterator[Finding]:
    """Faults are not shown to visitors."""
    if settings.DEBUG:
        yield Finding(
            "debug_on",
            _("DEBUG is on: a fault shows every visitor the site’s settings."),
            _("Take DEBUG out of the environment and start the web processes anew."),
        )


def hosts() -> Iterator[Finding]:
    """The site knows under which names it is reached, and answers to no others."""
    if not settings.ALLOWED_HOSTS:
        yield Finding(
            "no_hosts",
            _("ALLOWED_HOSTS is empty: every request is refused."),
            _("Set ALLOWED_HOSTS to the names of the site, separated by commas."),
        )
    elif "*" in settings.ALLOWED_HOSTS:
        yield Finding(
            "any_host",
            _("ALLOWED_HOSTS lets anybody’s name through: links in mail can be made to lead elsewhere."),
            _("Set ALLOWED_HOSTS to the names of the site, separated by commas."),
        )


def tls() -> Iterator[Finding]:
    """Whoever comes from another machine comes by https."""
    others = [name for name in settings.ALLOWED_HOSTS if name not in HERE]
    if others and not settings.BEHIND_TLS:
        yield Finding(
            "no_tls",
            _("%(name)s is served without TLS: passwords and cards cross the network as they are.")
            % {"name": others[0]},
            _("Put a proxy with a certificate in front (deploy/ has two) and set BEHIND_TLS=1."),
            WARNING,
        )
    if settings.BEHIND_TLS and not others:
        yield Finding(
            "tls_without_name",
            _("BEHIND_TLS is set, but ALLOWED_HOSTS names no host that a certificate could be for."),
            _("Set ALLOWED_HOSTS to the name that people type."),
        )


def django_checks() -> Iterator[Finding]:
    """What `manage.py check --deploy` says, apart from what is told above."""
    told = TOLD_HERE | TOLD_BY_TLS
    for message in run_checks(include_deployment_checks=True):
        if message.id not in told and not message.is_silenced():
            yield Finding(
                f"check_{message.id}",
                str(message.msg),
                str(message.hint or _("Django’s documentation explains this check by its number.")),
                FAILURE if message.level >= ERROR else WARNING,
            )


def mail() -> Iterator[Finding]:
    """Mail goes out: a server takes it."""
    if settings.MAIL_BACKEND != SMTP:
        yield Finding(
            "mail_by_hand",
            _("No mail is sent: mails wait in %(folder)s for somebody to hand them on.")
            % {"folder": settings.EMAIL_FILE_PATH},
            _("Name a mail server in EMAIL_URL, or look into that folder now and then."),
            WARNING,
        )
        return
    try:
        with get_connection(settings.MAIL_BACKEND, timeout=5):
            pass
    except (OSError, SMTPException) as error:
        yield Finding(
            "mail_away",
            _("The mail server %(host)s:%(port)d does not answer: %(reason)s.")
            % {"host": settings.EMAIL_HOST, "port": settings.EMAIL_PORT, "reason": error},
            _("Start it, or name another in the environment (docs/configuration.md)."),
            WARNING,
        )


def mail_links() -> Iterator[Finding]:
    """Links in mails lead to the site, and mail programs may stop mails by them, which they do by https alone."""
    found = urlsplit(settings.SITE_URL)
    if settings.MAIL_BACKEND == SMTP and (found.scheme != "https" or found.hostname in HERE):
        yield Finding(
            "mail_links_here",
            _("Links in mails about notifications lead to %(address)s.") % {"address": settings.SITE_URL},
            _("Set SITE_URL to the https address under which people reach the site."),
            WARNING,
        )

"""Settings of the site: one file, driven by the environment.

Without any environment the site uses the engines that `script/server` brings: their addresses are in
`var/embedded.env`, and a secret key is made once in `var/secret_key`. docs/configuration.md lists every variable.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config.addresses import caches, celery_broker, channel_layers, database
from config.embedded import read_addresses, redis_address, running_folder
from config.keys import stored_secret_key
from config.logs import FORMATS, configuration
from config.timetable import QUEUES

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))
DEBUG = env.bool("DEBUG", default=False)

# --- Engines. The addresses go together: an own database never meets the embedded owner. -------------------------
EMBEDDED = read_addresses(VAR_DIR)
OWN_DATABASE = bool(env.str("DATABASE_URL", default=""))
_no_server = f"postgres://cardclub_site@/cardclub?host={running_folder(VAR_DIR)}"
DATABASE_URL = env.str("DATABASE_URL", default="") or EMBEDDED.get("DATABASE_URL", _no_server)
DATABASE_OWNER_URL = env.str("DATABASE_OWNER_URL", default="") or (
    DATABASE_URL if OWN_DATABASE else EMBEDDED.get("DATABASE_OWNER_URL", DATABASE_URL)
)
SITE_DB_ROLE = env.str("SITE_DB_ROLE", default="cardclub_site")
REDIS_URL = redis_address(os.environ, VAR_DIR)
# On a large site each purpose has a server of its own: queues, announcements between processes, the cache.
BROKER_URL = env.str("BROKER_URL", default="") or REDIS_URL
LAYER_URL = env.str("LAYER_URL", default="") or REDIS_URL
CACHE_URL = env.str("CACHE_URL", default="") or REDIS_URL

# A pool per process: 0.9 ms a query against 6.4 ms when each one connects anew. 0 switches it off.
DB_POOL_SIZE = env.int("DB_POOL_SIZE", default=8)
# Each connection is asked for a sign of life before it is lent out again: the server may have been restarted.
DATABASES: dict[str, dict[str, Any]] = {
    "default": {**database(DATABASE_URL), "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
}
if DB_POOL_SIZE:
    DATABASES["default"]["OPTIONS"]["pool"] = {
        "min_size": 1,
        "max_size": DB_POOL_SIZE,
        "timeout": 10,
        "max_idle": 60,
    }
# The statements of every move (games.selectors.statements) are prepared by PostgreSQL once for each connection.
# Behind PgBouncer, which gives each transaction another connection of the server, nothing can be prepared for later.
DB_TRANSACTION_POOLING = env.bool("DB_TRANSACTION_POOLING", default=False)
DATABASES["default"]["OPTIONS"].setdefault("prepare_threshold", None if DB_TRANSACTION_POOLING else 5)
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = DB_TRANSACTION_POOLING
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = caches(CACHE_URL)
CHANNEL_LAYERS = channel_layers(LAYER_URL)

# --- Secrets and who may ask --------------------------------------------------------------------------------------
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    if OWN_DATABASE and not DEBUG:
        raise ImproperlyConfigured(
            "SECRET_KEY is missing: a site with its own DATABASE_URL needs one. Make one with "
            "`python -c 'import secrets; print(secrets.token_urlsafe(64))'` and put it in the environment."
        )
    SECRET_KEY = stored_secret_key(VAR_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# BEHIND_TLS says that a proxy ends TLS in front of the site and sets X-Forwarded-Proto itself.
BEHIND_TLS = env.bool("BEHIND_TLS", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
SECURE_SSL_REDIRECT = BEHIND_TLS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000) if BEHIND_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = BEHIND_TLS
# The browsers' preload list binds a whole domain for years: that is for the domain's owner to decide, not for the site.
SILENCED_SYSTEM_CHECKS = ["security.W021"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = BEHIND_TLS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "media-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# --- Django -------------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "config",
    "clubs",
    "ledger",
    "games",
    "tournaments",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "csp",
    "config.apps.ClubAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "config.metrics.CountRequests",
    "config.request_numbers.RequestNumbers",
    "django.middleware.security.SecurityMiddleware",
    "config.packing.PackPages",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "config.sound_text.SoundTextMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "clubs.middleware.TimeZoneMiddleware",
    "clubs.middleware.ClubMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "clubs.middleware.FormAddressMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "clubs.views.context.mail_by_hand",
                "games.views.calls.table_calls",
                "clubs.views.frame.club_frame",
                "clubs.views.notices.bell",
            ],
            # {% load chips %} and {% load scores %}: numbers as the active language writes them; {% load modules %}: what a module imports.
            # {% load faces %}: where a module finds the card faces.
            # {% load cells %}: lists of the admin that a phone tells line by line.
            "libraries": {
                "cells": "config.admin_cells",
                "faces": "config.card_faces",
                "chips": "ledger.wording",
                "scores": "tournaments.wording.numbers",
                "modules": "config.module_links",
            },
        },
    }
]
AUTH_USER_MODEL = "clubs.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "games:home"
LOGOUT_REDIRECT_URL = "games:home"
AUTHENTICATION_BACKENDS = [
    "allauth.account.auth_backends.AuthenticationBackend",
    "clubs.backends.ClubRights",  # rights by role; signs nobody in
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

# --- Doors: signing up and in (docs/people.md says why each is as it is) --------------------------------------------
ACCOUNT_ADAPTER = "clubs.adapters.PeopleAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
# Nobody waits for a mail to play: an address that was not confirmed only cannot be relied upon.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_DISPLAY = "clubs.adapters.shown_name"
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_FORMS = {
    "login": "clubs.forms.entrance.SignInForm",
    "signup": "clubs.forms.entrance.SignUpForm",
    "reset_password": "clubs.forms.entrance.AskResetForm",
    "reset_password_from_key": "clubs.forms.entrance.ResetForm",
    "change_password": "clubs.forms.entrance.ChangePasswordForm",
    "set_password": "clubs.forms.entrance.SetPasswordForm",
    "add_email": "clubs.forms.entrance.ChangeAddressForm",
    "reauthenticate": "clubs.forms.entrance.PasswordAgainForm",
}
# A whole club may come through one address on one evening; a machine that tries is slower than any of these.
ACCOUNT_RATE_LIMITS = {
    "login": "60/m/ip",
    "login_failed": "20/m/ip,5/5m/key",
    "signup": "10/m/ip,60/h/ip",
    "guest": "30/m/ip,300/h/ip",
    "reset_password": "5/m/ip,20/h/ip,3/h/key",
    "reset_password_from_key": "10/m/ip",
    "change_password": "5/m/user",
    "manage_email": "5/m/user",
    "reauthenticate": "10/m/user",
    "confirm_email": "1/3m/key",
}
MFA_ADAPTER = "clubs.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1
# Several people may name one address and only one can confirm it, so a second factor locks nobody else out.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "clubs.forms.second_factor.CodeForm",
    "reauthenticate": "clubs.forms.second_factor.CodeAgainForm",
    "activate_totp": "clubs.forms.second_factor.ActivateAppForm",
    "add_webauthn": "clubs.forms.second_factor.AddPasskeyForm",
    "edit_webauthn": "clubs.forms.second_factor.RenamePasskeyForm",
}
# Browsers allow passkeys on the machine itself without TLS, and nowhere else.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not BEHIND_TLS
# Proxies in front of the site that add the address of whoever asks to X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=1 if BEHIND_TLS else 0)

# --- Mail: without an address of a server, mails wait in a folder for a keeper to hand them on ----------------------
EMAIL_URL = env.str("EMAIL_URL", default="")
MAIL_BY_HAND = not EMAIL_URL
EMAIL_FILE_PATH = VAR_DIR / "mail"
MAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
if EMAIL_URL:
    _mail = environ.Env.email_url_config(EMAIL_URL)
    MAIL_BACKEND = _mail.pop("EMAIL_BACKEND")
    globals().update(_mail)
# A worker sends them, so that no page waits for a mail server or shows by its slowness that a mail was sent.
EMAIL_BACKEND = MAIL_BACKEND if MAIL_BY_HAND else "config.mail.LaterBackend"
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str(
    "MAIL_FROM", default=f"noreply@{ALLOWED_HOSTS[0].lstrip('.*') or 'localhost'}"
)

LANGUAGE_CODE = "en"
LANGUAGES = [("et", _("Estonian")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Tallinn")
USE_TZ = True

# Files are served by config.static_files in front of Django, under names that carry their hash.
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_storage.HashedFiles"},
}

# --- Proofs of the ledger: what must not lie in the database ------------------------------------------------------
LEDGER_KEY_DIR = Path(env.str("LEDGER_KEY_DIR", default=str(VAR_DIR / "keys")))
LEDGER_SIGNING_KEY = env.str("LEDGER_SIGNING_KEY", default="")  # 64 hexadecimal digits instead of a file
LEDGER_HEADS_FILE = Path(env.str("LEDGER_HEADS_FILE", default=str(VAR_DIR / "heads.jsonl")))
# Exports of the book, written by workers and read by the web processes: one folder for all of them.
LEDGER_EXPORT_DIR = Path(env.str("LEDGER_EXPORT_DIR", default=str(VAR_DIR / "exports")))

# --- Archives: logs of old tables, and closed years of the ledger ---------------------------------------------------
# Written by workers and commands, read by the web processes: one folder for all of them.
ARCHIVE_DIR = Path(env.str("ARCHIVE_DIR", default=str(VAR_DIR / "archive")))
ARCHIVE_AFTER_DAYS = env.int("ARCHIVE_AFTER_DAYS", default=0)  # 0: nothing is moved by itself
if ARCHIVE_AFTER_DAYS and ARCHIVE_AFTER_DAYS < 31:
    raise ImproperlyConfigured("ARCHIVE_AFTER_DAYS is below 31: take more days, or 0 to archive nothing.")

# --- Celery -------------------------------------------------------------------------------------------------------
WORKER_QUEUES = QUEUES
# An unacknowledged task is handed out again after this; longer than any task here, short enough for a turn's clock.
CELERY_VISIBILITY_TIMEOUT = 180
CELERY_BROKER_URL = celery_broker(BROKER_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_VISIBILITY_TIMEOUT,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}
CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": CELERY_VISIBILITY_TIMEOUT}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
# The first pattern that fits decides. `clock` is for what must be on time and takes milliseconds.
CELERY_TASK_ROUTES = {
    "games.tasks.play_bot": {"queue": "bots"},
    "games.tasks.count_deals": {"queue": "default"},
    "games.tasks.forget_chat": {"queue": "default"},
    "games.tasks.archive_deals": {"queue": "default"},
    "games.tasks.reap": {"queue": "default"},
    "games.tasks.remind": {"queue": "default"},
    "games.tasks.*": {"queue": "clock"},
    "ledger.tasks.seal": {"queue": "clock"},
    "tournaments.tasks.remind": {"queue": "default"},
    "tournaments.tasks.*": {"queue": "clock"},
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ETA_TASK_LIMIT = 5000
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 3.0
CELERY_WORKER_ENABLE_SOFT_SHUTDOWN_ON_IDLE = True
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

# --- Watching -----------------------------------------------------------------------------------------------------
# Watchers above these are refused with a sentence; players never are.
WATCHERS_PER_TABLE = env.int("WATCHERS_PER_TABLE", default=500)
WATCHERS_PER_PROCESS = env.int("WATCHERS_PER_PROCESS", default=5000)

# --- Being watched: /metrics ---------------------------------------------------------------------------------------
# Who sends this as `Authorization: Bearer ...` may read /metrics. Without it only this machine may, not through a proxy.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")

# --- Notifications ------------------------------------------------------------------------------------------------
# Links in mails that a worker writes: no request says there by which name people reach the site.
SITE_URL = env.str("SITE_URL", default="").rstrip("/") or (
    f"https://{ALLOWED_HOSTS[0].lstrip('.*') or 'localhost'}"
    if BEHIND_TLS
    else f"http://{ALLOWED_HOSTS[0].lstrip('.*') or 'localhost'}:{os.environ.get('PORT') or 8000}"
)
# A member who is away from a table with a day a move is told that it is their turn after so long.
TURN_NOTICE_MINUTES = env.int("TURN_NOTICE_MINUTES", default=10)

# --- Logging: to standard error, for whoever supervises the processes ----------------------------------------------
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
# Set by config.process; several processes write to one stream.
PROCESS_NAME = env.str("PROCESS_NAME", default="manage")
LOG_FORMAT = env.str("LOG_FORMAT", default="line")
if LOG_FORMAT not in FORMATS:
    raise ImproperlyConfigured(f"LOG_FORMAT is {LOG_FORMAT!r}: choose {' or '.join(FORMATS)}.")
LOGGING = configuration(level=LOG_LEVEL, form=LOG_FORMAT, process=PROCESS_NAME)

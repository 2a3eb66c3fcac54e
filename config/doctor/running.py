"""The doctor's look at Redis and at what must be running: processes, the sweep, the sealer, and everybody's clock."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from config import pulse
from config.doctor.findings import WARNING, Finding
from config.health import SWEEP_MAX_AGE, WORKER_MAX_AGE, age
from config.redis_line import broker, line
from config.servers import check_redis
from config.trouble import Trouble
from games import selectors as tables
from ledger import selectors

# The sealer comes every 10 s; the lag that verification allows is far above this.
SEAL_SECONDS = 120
# Both kinds of verification run by themselves, the quick one every hour.
VERIFIED_HOURS = 3
# Deadlines are compared by the database alone, but people see times, and sessions and codes end by a process's clock.
SKEW_SECONDS = 2.0
QUEUE_LENGTH = 1_000


def redis_reachable() -> Iterator[Finding]:
    """Redis or Valkey answers wherever one is named, and is new enough."""
    for url in dict.fromkeys(
        (settings.REDIS_URL, settings.BROKER_URL, settings.LAYER_URL, settings.CACHE_URL)
    ):
        try:
            check_redis(url)
        except Trouble as trouble:
            yield Finding(
                "redis_away",
                str(trouble),
                _("Start Redis, or put its address right; then ask the doctor again."),
            )


def redis_policy() -> Iterator[Finding]:
    """Redis throws nothing away when its memory is full, and it is not nearly full."""
    memory = broker().info("memory")
    policy = str(memory["maxmemory_policy"])
    if policy != "noeviction":
        yield Finding(
            "redis_evicts",
            _("Redis may throw tasks away when its memory is full (maxmemory-policy %(policy)s).")
            % {"policy": policy},
            _("`CONFIG SET maxmemory-policy noeviction`, and the same in its configuration file."),
        )
    used, most = int(memory["used_memory"]), int(memory["maxmemory"])
    if most and used > 0.8 * most:
        yield Finding(
            "redis_nearly_full",
            _("Redis uses %(used)d of at most %(most)d MB.") % {"used": used >> 20, "most": most >> 20},
            _("Raise `maxmemory`, or find what fills it: `redis-cli --bigkeys`."),
            WARNING,
        )


def queues() -> Iterator[Finding]:
    """No queue of tasks is long."""
    for queue in settings.WORKER_QUEUES:
        waiting = int(broker().llen(queue))
        if waiting > QUEUE_LENGTH:
            yield Finding(
                "queue_long",
                _("%(waiting)d tasks wait in the queue %(queue)s.") % {"waiting": waiting, "queue": queue},
                _("Start another worker of that queue: `python -m config.process %(queue)s`.")
                % {"queue": queue},
                WARNING,
            )


def beat() -> Iterator[Finding]:
    """Beat lives: it hands out what happens at intervals, the workers' heartbeats among it."""
    if not _alive("beat"):
        yield Finding(
            "beat_silent",
            _("Beat is not running: nothing happens by itself."),
            _("Start one `python -m config.process beat`, and read in its log why it ended."),
        )


def workers() -> Iterator[Finding]:
    """A worker takes tasks from each queue. Without beat there are no heartbeats, and only the processes are looked for."""
    for queue in settings.WORKER_QUEUES:
        seconds = age(f"worker:{queue}")
        takes_tasks = seconds is not None and seconds <= WORKER_MAX_AGE
        if takes_tasks or (_alive(queue) and not _alive("beat")):
            continue
        yield Finding(
            "worker_silent",
            _("No worker takes tasks from the queue %(queue)s.") % {"queue": queue},
            _("Start `python -m config.process %(queue)s`, and read in its log why it ended.")
            % {"queue": queue},
        )


def web() -> Iterator[Finding]:
    """A web process lives."""
    if not _alive("web"):
        yield Finding(
            "web_silent",
            _("No web process is running."),
            _("Start `python -m config.process web`, and read in its log why it ended."),
        )


def _alive(name: str) -> bool:
    return any(each.name == name for each in pulse.living(line()))


def sweep() -> Iterator[Finding]:
    """Deadlines are kept: the sweep ran a moment ago, by the mark that it leaves in the database."""
    late = tables.seconds_since_sweep()
    if late is None or late > SWEEP_MAX_AGE:
        yield Finding(
            "sweep_late",
            _("Deadlines are not kept: the sweep never ran.")
            if late is None
            else _("Deadlines are not kept: the last sweep was %(seconds)d s ago.") % {"seconds": late},
            _("See that beat and a worker of the queue `clock` run; the worker’s log says what failed."),
        )


def seals() -> Iterator[Finding]:
    """Every transaction of the ledger is sealed soon."""
    lag = selectors.seal_lag()
    if lag.seconds > SEAL_SECONDS:
        yield Finding(
            "seal_late",
            _("%(waiting)d transactions are not sealed, the oldest since %(seconds)d s.")
            % {"waiting": lag.waiting, "seconds": lag.seconds},
            _("Run `manage.py seal_ledger`: it says why nothing is sealed."),
        )


def verified() -> Iterator[Finding]:
    """The book was checked lately, and found in order."""
    checks = selectors.last_checks()
    last = checks.last
    if last is not None and not last.passed:
        yield Finding(
            "ledger_faulty",
            _("The ledger is not in order: %(code)s, %(detail)s.")
            % {"code": last.code, "detail": last.detail},
            _(
                "Stop what moves chips, keep a copy of the database, and read docs/seals.md before anything else."
            ),
        )
    elif last is not None and timezone.now() - last.started_at > dt.timedelta(hours=VERIFIED_HOURS):
        yield Finding(
            "verification_old",
            _("The ledger was last checked at %(time)s.") % {"time": f"{last.started_at:%Y-%m-%d %H:%M} UTC"},
            _("See that beat and a worker of the queue `default` run, or run `manage.py verify_ledger`."),
            WARNING,
        )


def clocks() -> Iterator[Finding]:
    """Every process's clock agrees with the database's."""
    before = time.time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        database = cursor.fetchone()[0]
    here_ahead = (before + time.time()) / 2 - database
    redis_ahead = here_ahead - pulse.clock_ahead(line())
    ahead = {"manage.py": here_ahead}
    ahead |= {each.label: each.ahead + redis_ahead for each in pulse.living(line())}
    for name, seconds in ahead.items():
        if abs(seconds) > SKEW_SECONDS:
            yield Finding(
                "clock_skew",
                _("The clock of %(name)s differs from the database’s by %(seconds).1f s.")
                % {"name": name, "seconds": seconds},
                _("Let every machine keep its time by NTP (`timedatectl set-ntp true`)."),
                WARNING,
            )

"""`manage.py doctor`: everything that a running site needs, looked at once; each finding says what to do.

A check yields what is wrong with its part. Where the database or Redis does not answer, the checks that need it are
left out, and without this version's tables those that read them: their findings would only say the same again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from config.doctor import archives, database, files, running, surroundings
from config.doctor.findings import FAILURE, WARNING, Check, Finding

logger = logging.getLogger(__name__)

ALONE: dict[str, Check] = {
    "secret_key": surroundings.secret_key,
    "debug": surroundings.debug,
    "hosts": surroundings.hosts,
    "tls": surroundings.tls,
    "django": surroundings.django_checks,
    "mail": surroundings.mail,
    "mail_links": surroundings.mail_links,
    "disk": files.disk,
    "static_files": files.static_files,
    "signing_key": files.signing_key,
    "heads_file": files.heads_file,
    "exports": files.exports,
    "archive_folder": archives.archive_place,
}
NEED_DATABASE: dict[str, Check] = {"migrations": database.migrations, "role": database.role}
NEED_TABLES: dict[str, Check] = {
    "guards": database.guards,
    "log_guards": archives.log_guards,
    "archives": archives.archives,
    "sweep": running.sweep,
    "seals": running.seals,
    "verification": running.verified,
}
NEED_REDIS: dict[str, Check] = {
    "redis_policy": running.redis_policy,
    "queues": running.queues,
    "beat": running.beat,
    "workers": running.workers,
    "web": running.web,
}
NEED_BOTH: dict[str, Check] = {"clocks": running.clocks}


class Report(NamedTuple):
    """What was looked at and what was found: `findings` by the name of their check; `left_out` could not be looked at."""

    findings: dict[str, list[Finding]]
    left_out: list[str]

    @property
    def failed(self) -> bool:
        """Whether something is wrong that must be put right now."""
        return any(each.level == FAILURE for found in self.findings.values() for each in found)

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        found = {name: [each.as_json() for each in found] for name, found in self.findings.items()}
        return {"ok": not self.failed, "checks": found, "left_out": self.left_out}


def examine(only: Sequence[str] = ()) -> Report:
    """Look at everything, or at the checks named in `only`."""
    report = Report({}, [])
    _look(report, {"database": database.reachable, "redis": running.redis_reachable}, ())
    no_database, no_redis = report.findings["database"], report.findings["redis"]
    _look(report, ALONE, only)
    _look(report, NEED_DATABASE, only, left_out=bool(no_database))
    no_tables = no_database or report.findings.get("migrations")
    _look(report, NEED_TABLES, only, left_out=bool(no_tables))
    _look(report, NEED_REDIS, only, left_out=bool(no_redis))
    _look(report, NEED_BOTH, only, left_out=bool(no_database or no_redis))
    return report


def _look(report: Report, checks: dict[str, Check], only: Sequence[str], *, left_out: bool = False) -> None:
    for name, check in checks.items():
        if only and name not in only:
            continue
        if left_out:
            report.left_out.append(name)
        else:
            report.findings[name] = _findings(name, check)


def _findings(name: str, check: Check) -> list[Finding]:
    """Return what a check finds; one that itself fails is a finding, and the others are still made."""
    try:
        return list(check())
    except Exception as error:
        logger.exception("the check %s failed", name)
        return [
            Finding(
                "check_failed",
                _("The check %(name)s could not be made: %(reason)s.")
                % {"name": name, "reason": f"{type(error).__name__}: {error}"},
                _("The log has the whole story; mend what it says and ask the doctor again."),
            )
        ]


__all__ = ["FAILURE", "WARNING", "Finding", "Report", "examine"]

"""Celery's doors to the ledger: sealing behind the writers, and verification."""

from __future__ import annotations

import logging

from celery import shared_task

from ledger.errors import SealingRefused
from ledger.services.exports import run_export
from ledger.services.sealing import seal_pending
from ledger.services.verifying import Report, last_passed_seal, verify

logger = logging.getLogger(__name__)

SEALS_A_RUN = 20
"""Seals that one run makes at most: a backlog must not keep the queue of deadlines busy for long."""


@shared_task
def seal() -> None:
    """Seal what is finished. On the queue of deadlines, since a verification must not keep it waiting."""
    try:
        seal_pending(most=SEALS_A_RUN)
    except SealingRefused as refusal:
        logger.error("nothing is sealed: %s", refusal)


# Acknowledged when they start: a run longer than the broker's patience must not be handed out twice.
@shared_task(acks_late=False)
def verify_new() -> None:
    """Check what came after the last seal that was found in order; the whole book when there is none."""
    _tell(verify(since=last_passed_seal()))


@shared_task(acks_late=False)
def verify_all() -> None:
    """Check the whole book."""
    _tell(verify())


@shared_task
def export_book(export: int) -> None:
    """Make the file of an export. Handed out twice, it is made once: whoever comes second finds the first at it."""
    run_export(export=export)


def _tell(report: Report) -> None:
    if report.fault is None:
        logger.info("the ledger is in order: %s transactions in %.1f s", report.transactions, report.seconds)
    else:
        logger.critical("the ledger is NOT in order: %s", report.fault)

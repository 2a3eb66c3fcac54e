"""What tables of events tell the apps above them; sent inside the transaction that did it.

A receiver does no more than arrange something for after the commit. It may be
lost (the process can die in between), so whoever listens also looks by itself
from time to time: ``selectors.tables_waiting_for``.
"""

from django.dispatch import Signal

table_waits = Signal()
"""A table with an ``origin`` has no deal to play: it waits for its event, or its match is over. Argument: ``table``."""

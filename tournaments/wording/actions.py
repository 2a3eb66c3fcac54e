"""What was done to an event, in words, and what its chips moved for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

ACTIONS: dict[str, str | Promise] = {
    "created": _l("created the event"),
    "changed": _l("changed the terms"),
    "announced": _l("announced"),
    "season": _l("put it in a season"),
    "registration_opened": _l("opened registration"),
    "check_in_opened": _l("opened check-in"),
    "started": _l("started the event"),
    "fees_paid": _l("collected the entry fees"),
    "finished": _l("finished the event"),
    "archived": _l("archived the event"),
    "cancelled": _l("cancelled the event"),
    "prizes_paid": _l("paid the prizes"),
    "prizes_taken_back": _l("took the prizes back"),
    "entered": _l("entered a player"),
    "moved_up": _l("moved a player up from the waiting list"),
    "passed_over": _l("passed a player over on the waiting list"),
    "checked_in": pgettext_lazy("action", "checked in"),
    "check_in_undone": _l("took a check-in back"),
    "no_show": _l("noted that a player did not come"),
    "withdrawn": _l("withdrew a player"),
    "leaving": _l("noted that a player leaves after this round"),
    "left": _l("let a player go after the round"),
    "returned": _l("let a player return"),
    "seated_again": _l("gave a returned player a place"),
    "substituted": _l("changed who plays for a player"),
    "volunteers": _l("noted who would like to sit out"),
    "kept_apart": _l("kept two players apart"),
    "allowed_together": _l("let two players meet again"),
    "drawn": _l("drew"),
    "not_drawn": _l("could not draw anew"),
    "swapped": _l("swapped two players"),
    "draw_confirmed": _l("confirmed the draw"),
    "draw_loosened": _l("took the confirmation of the draw back"),
    "draw_used": _l("went back to an earlier draw"),
    "released": _l("released a round"),
    "unreleased": _l("took a release back"),
    "round_scheduled": _l("set when a round opens"),
    "not_opened": _l("could not open a round on time"),
    "seated_anew": _l("broke or balanced tables"),
    "knocked_out": _l("knocked players out"),
    "time_called": _l("called the time of a round"),
    "deals_taken_over": _l("took deals over from the site’s tables"),
    "table_done": _l("took a table’s results over"),
    "result_entered": _l("entered a result"),
    "table_confirmed": _l("confirmed a table’s results"),
    "table_disputed": _l("disputed a table’s results"),
    "dispute_resolved": _l("decided a dispute"),
    "corrected": _l("corrected a result"),
    "extra_time": _l("gave a table extra time"),
    "clock_stopped": _l("stopped the clock"),
    "clock_goes_on": _l("let the clock go on"),
    "round_complete": _l("noted that all tables are done"),
    "round_confirmed": _l("confirmed a round"),
    "round_reopened": _l("reopened a round"),
    "round_undone": _l("undid a round"),
    "round_redone": _l("brought a round back"),
}
"""What was done, by the kind of the action."""

OWN: dict[str, str | Promise] = {
    "entered": pgettext_lazy("own action", "entered"),
    "checked_in": ACTIONS["checked_in"],
    "check_in_undone": ACTIONS["check_in_undone"],
    "withdrawn": pgettext_lazy("own action", "withdrew"),
    "leaving": pgettext_lazy("own action", "leaves after this round"),
    "returned": pgettext_lazy("own action", "came back"),
}
"""The same of what people did about themselves: nobody is named after it."""

MOVED: dict[str, str | Promise] = {
    "hold": _l("fee set aside"),
    "paid": _l("fee paid"),
    "void": _l("fee no longer set aside"),
    "refund": _l("fee refunded"),
    "guarantee": _l("new chips for the pool"),
    "prize": _l("prize"),
    "guarantee_back": _l("new chips of the pool taken back"),
    "prize_back": _l("prize taken back"),
    "chips": _l("chips of the event"),
    "chips_back": _l("chips of the event taken back"),
}
"""What chips moved for, by the type that an action notes (``tournaments.stakes``)."""


def action_in_words(kind: str, *, own: bool = False) -> str:
    """Return what was done, by people about themselves (``is_own``) in their own words; an unknown kind by its name."""
    return str(OWN[kind] if own else ACTIONS.get(kind, kind.replace("_", " ")))


def is_own(kind: str, by: int | None, about: int | None) -> bool:
    """Whether an action is the own doing of the person about whom it is; both are numbers of people."""
    return kind in OWN and by is not None and by == about


def moved_in_words(moved: Mapping[str, Any]) -> str:
    """Return what one transaction moved: for what, and how many chips."""
    kind = moved["type"]
    return f"{MOVED.get(kind, kind)}: {moved['amount']}"

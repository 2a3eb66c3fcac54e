"""Acts as buttons: a name, a label, an address, and what must be said with it."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from tournaments.models import Tournament

Text = str | Promise


@dataclass(frozen=True)
class Act:
    """A button that sends something to ``address``. ``reason``: why must be said; ``note``: what it does; ``sent``: its name there."""

    name: str
    label: Text
    address: str
    reason: bool = False
    note: Text = ""
    sent: str = ""


@dataclass(frozen=True)
class Step:
    """What to do next: a sentence, and one button or one link."""

    sentence: Text
    act: Act | None = None
    link: str = ""
    link_text: Text = ""


EVENT_LABELS: dict[str, tuple[Text, bool, Text]] = {
    "open_registration": (
        _l("Open registration"),
        False,
        _l("Players can enter; the fee can no longer change."),
    ),
    "open_check_in": (_l("Open check-in"), False, _l("Players say that they are there.")),
    "close_check_in": (
        _l("Close check-in"),
        False,
        _l("Who has not checked in loses the place to the waiting list."),
    ),
    "start": (
        _l("Start the event"),
        False,
        _l("Check-in closes, the waiting list moves up, entry fees are paid."),
    ),
    "draw": (pgettext_lazy("act", "Draw"), False, _l("Makes a draft that only organisers see.")),
    "draw_again": (_l("Draw again"), False, _l("The draft that is there stays as an older version.")),
    "finish": (_l("Finish the event"), False, _l("The final places are written down.")),
    "finish_early": (
        _l("Finish before all rounds are played"),
        True,
        _l("The standings of the confirmed rounds become the final table."),
    ),
    "pay": (_l("Pay the prizes"), False, _l("One transaction of the book; it can be taken back as one.")),
    "take_back": (_l("Take the prizes back"), True, _l("To correct results and pay again.")),
    "archive": (_l("Archive the event"), False, _l("It stays readable.")),
    "cancel": (
        _l("Cancel the event"),
        True,
        _l("Tables close and every entry fee goes back to where it came from."),
    ),
}

ROUND_LABELS: dict[str, tuple[Text, bool, Text]] = {
    "confirm_draw": (_l("Confirm the draw"), False, _l("Then the round can be released.")),
    "loosen_draw": (_l("Change the draw again"), False, _l("Takes the confirmation back.")),
    "release": (_l("Release the round"), False, _l("Players are told; online their tables open.")),
    "unrelease": (_l("Take the release back"), True, _l("Possible as long as no result is there.")),
    "clock": (_l("Stop the clock"), False, _l("What is left is kept.")),
    "clock_on": (_l("Let the clock go on"), False, ""),
    "time": (
        _l("Call the time"),
        False,
        _l("Every table plays its running orbit to the end, or stops after its deal, as the terms say."),
    ),
    "confirm": (_l("Confirm the round"), False, _l("Then the next round can be drawn.")),
    "reopen": (
        _l("Reopen the round"),
        True,
        _l("To correct its results; possible before the next is released."),
    ),
    "undo": (
        _l("Undo the round"),
        True,
        _l("It is as drawn again; its results stay in their versions and can be brought back."),
    ),
    "redo": (_l("Bring the undone round back"), True, _l("Its results count again, unconfirmed.")),
}


def done_in_words(name: str) -> str:
    """Return what is told after an act: which one it was, where one name does not stand for two."""
    label = None if name == "clock" else (EVENT_LABELS | ROUND_LABELS).get(name)
    return _("%(act)s: done.") % {"act": label[0]} if label else _("Done.")


def event_act(tournament: Tournament, name: str) -> Act:
    """Return a button for the whole event."""
    label, reason, note = EVENT_LABELS[name]
    sent = {"draw_again": "draw"}.get(name, name)
    return Act(name, label, reverse("tournaments:act", args=[tournament.pk, sent]), reason, note, sent)


def round_act(tournament: Tournament, number: int, name: str) -> Act:
    """Return a button for one round."""
    label, reason, note = ROUND_LABELS[name]
    sent = {"clock_on": "clock"}.get(name, name)
    return Act(
        name, label, reverse("tournaments:round_act", args=[tournament.pk, number, sent]), reason, note, sent
    )

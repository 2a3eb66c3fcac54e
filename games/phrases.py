"""The quick phrases of the chat, by code: who speaks sends the code, who reads sees the own language."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PHRASES: dict[str, str | Promise] = {
    "hello": _("Hello!"),
    "good_luck": _("Good luck!"),
    "well_played": _("Well played!"),
    "thanks": _("Thank you!"),
    "one_moment": _("One moment, please."),
    "your_turn": _("Your turn!"),
    "sorry": _("Sorry!"),
    "no_worries": _("No worries."),
    "good_game": _("Thank you, good game."),
    "another": _("Another match?"),
    "goodbye": _("Goodbye!"),
}
"""In the order of the buttons. A code that once was here stays, since lines refer to it."""

"""``{% card_faces %}``: the addresses of all card faces, for pages whose cards a module draws.

A module cannot know the hash in a file's name. Under plain names browsers asked for each of some fifty faces again
with every page.
"""

from __future__ import annotations

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import json_script
from django.utils.safestring import SafeString

from games.rules.cards import RANKS, SUITS

register = template.Library()
DECKS = ("four", "four-big", "two", "two-big")
NAMES = ("back", *(f"{deck}/{rank}{suit}" for deck in DECKS for rank in RANKS for suit in SUITS))


@register.simple_tag
@cache
def card_faces() -> SafeString:
    """Return a JSON script ``card-faces``: the address of each face by its name, such as ``four-big/7H``, and of the ``back``."""
    return json_script({name: static(f"cards/{name}.svg") for name in NAMES}, "card-faces")

"""/style/: every part of the design system on one page, and the pages of errors, while DEBUG is on; nothing otherwise."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from games.charts import bar_chart, curve

SHEET = Path(settings.BASE_DIR) / "static" / "css" / "site.css"
ON_GROUNDS = (
    *(("ink", ground) for ground in ("paper", "sheet")),
    *(("ink-soft", ground) for ground in ("paper", "sheet")),
    *(("deep", ground) for ground in ("paper", "sheet")),
    *(("accent", ground) for ground in ("paper", "sheet")),
    *(("bad", ground) for ground in ("paper", "sheet")),
    ("deep-ink", "deep"),
    ("brass-ink", "brass"),
    *(
        (ink, ground)
        for ink in ("felt-ink", "felt-soft", "brass")
        for ground in ("felt", "felt-edge", "plate")
    ),
)
"""Which inks stand on which grounds; each pair has a contrast of 4.5 at least."""
LEAST_CONTRAST = 4.5
ERRORS = (400, 403, 404, 405, 429, 500)
DECKS = ("two-big", "four-big", "two", "four")
FACES = ("AS", "KH", "QD", "JC", "TS", "7H")


class Colour(NamedTuple):
    """A custom property of the style sheet with its value in both schemes."""

    name: str
    light: str
    dark: str


class Pair(NamedTuple):
    """An ink on a ground, and the contrast of the two in both schemes."""

    ink: Colour
    ground: Colour
    light: float
    dark: float


class Parts(forms.Form):
    """A field of every kind; not all are filled in well."""

    name = forms.CharField(help_text="A word of help stands below its field.")
    mail = forms.EmailField(label="E-mail", initial="nobody")
    password = forms.CharField(widget=forms.PasswordInput)
    chips = forms.IntegerField(min_value=1, required=False)
    day = forms.DateField(widget=forms.DateInput(attrs={"type": "date"}), required=False)
    game = forms.ChoiceField(choices=[("loo", "3-Card Loo"), ("least", "Least Score")])
    text = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), required=False)
    rated = forms.BooleanField(required=False, help_text="A box to tick has its label beside it.")


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Show every part."""
    only_in_debug()
    context = {
        "colours": colours(),
        "pairs": pairs(),
        "form": Parts({"name": "", "mail": "nobody", "game": "loo"}),
        "bars": bar_chart(["one", "two", "three", "four"], [4, 7, 2, 5], expected=[5, 5, 5, 5]),
        "curve": curve([1000, 1012, 1004, 1030, 1051, 1044, 1071]),
        "decks": [
            (deck, [{"name": face, "address": static(f"cards/{deck}/{face}.svg")} for face in FACES])
            for deck in DECKS
        ],
        "errors": ERRORS,
    }
    return render(request, "config/style.html", context)


@require_safe
def style_error(request: HttpRequest, code: int) -> HttpResponse:
    """Show the page of an error, which DEBUG would hide behind a page for programmers."""
    only_in_debug()
    if code not in ERRORS:
        raise Http404
    return render(request, f"{code}.html", status=code)


def only_in_debug() -> None:
    """Raise ``Http404`` where people play: the page is for those who build the site."""
    if not settings.DEBUG:
        raise Http404


def colours() -> list[Colour]:
    """Return the colours of the style sheet in its order, as written there; a scheme that names none keeps the other's."""
    light, dark = (
        {str(name): str(value) for name, value in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)}
        # The third, for paper, has no inks of its own.
        for block in re.findall(r":root \{(.*?)\}", SHEET.read_text(), re.DOTALL)[:2]
    )
    return [Colour(name, value, dark.get(name, value)) for name, value in light.items()]


def pairs() -> list[Pair]:
    """Return the inks on their grounds with their contrasts."""
    known = {colour.name: colour for colour in colours()}
    found = [(known[ink], known[ground]) for ink, ground in ON_GROUNDS]
    return [
        Pair(ink, ground, contrast(ink.light, ground.light), contrast(ink.dark, ground.dark))
        for ink, ground in found
    ]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2.2 has it, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return round((lighter + 0.05) / (darker + 0.05), 1)


def _luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

"""The form of a new season."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

MOST_PLACES = 64
MOST_POINTS = 10_000


class SeasonForm(forms.Form):
    """Name, points by place as a list of numbers, and how many results count."""

    name = forms.CharField(label=_l("Name"), max_length=80)
    by_place = forms.CharField(
        label=_l("Points by place"),
        required=False,
        max_length=400,
        help_text=_l(
            "From the first place on, for example: 25 18 15 12 10. Empty: a place is worth one point for each "
            "player who is not better."
        ),
    )
    best = forms.IntegerField(
        label=_l("Results of each player that count"),
        min_value=0,
        max_value=1_000,
        initial=0,
        help_text=_l("The best of them; 0: all."),
    )

    def clean_by_place(self) -> list[int]:
        """Return the points as numbers; refuses what is no list of whole numbers that do not rise."""
        parts = self.cleaned_data["by_place"].replace(",", " ").split()
        if not all(part.isascii() and part.isdigit() and len(part) <= 6 for part in parts):
            raise forms.ValidationError(_("Write whole numbers with spaces between them."))
        points = [int(part) for part in parts]
        if len(points) > MOST_PLACES or max(points, default=0) > MOST_POINTS:
            raise forms.ValidationError(_("At most 64 places, and at most 10,000 points for a place."))
        if points != sorted(points, reverse=True):
            raise forms.ValidationError(_("A better place cannot be worth less than the one after it."))
        return points

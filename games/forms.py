"""The form that opens a table at once: a game, its seats, its bots, its clock and every option of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.bots import BOTS
from games.rules import GAMES, least_score_options, three_card_loo_options
from games.rules.clock import PRESETS
from games.wording import LABELS, title_of, value_in_words

CLOCKS = {
    "blitz": _l("Blitz: 8 seconds a move and 30 seconds in the bank"),
    "club": _l("Club: 15 seconds a move and 90 seconds in the bank"),
    "relaxed": _l("Relaxed: 40 seconds a move and 5 minutes in the bank"),
    "days": _l("Days: one day a move"),
}
LEVELS = {
    "random": _l("Any legal card"),
    "steady": _l("Steady"),
}
CHOICES: dict[str, Mapping[str, Sequence[Any]]] = {
    "three_card_loo": three_card_loo_options.CHOICES,
    "least_score": least_score_options.CHOICES,
}
USUAL_SEATS = {"three_card_loo": 5, "least_score": 4}
NUMBERS = {"loo_cap": (3, 1_000), "entry": (0, 1_000)}


class PlayNowForm(forms.Form):
    """Fields ``game``, ``seats``, ``level``, ``clock`` and the options of the chosen game."""

    game = forms.ChoiceField(label=_l("Game"))
    seats = forms.TypedChoiceField(label=_l("Seats"), coerce=int)
    level = forms.ChoiceField(label=_l("Bots"), initial="steady")
    clock = forms.ChoiceField(label=_l("Clock"), initial="club")

    def __init__(self, *args: Any, game: str, **kwargs: Any) -> None:
        """Build the fields for ``game``, which must be a name in ``GAMES``."""
        super().__init__(*args, **kwargs)
        rules = GAMES[game]
        self.game_name = game
        usual = rules.parse_options({})
        self.usual = rules.dump_options(usual)
        low, high = _widest_range(game)
        fields: dict[str, Any] = self.fields
        fields["game"].choices = [(name, title_of(name)) for name in GAMES]
        fields["game"].initial = game
        fields["seats"].choices = [(n, str(n)) for n in range(low, high + 1)]
        fields["seats"].initial = USUAL_SEATS[game]
        fields["level"].choices = [(level, LEVELS.get(level, level)) for level in BOTS[game]]
        fields["clock"].choices = [(name, CLOCKS[name]) for name in PRESETS]
        for name, label in LABELS[game].items():
            fields[name] = _option_field(game, name, label, self.usual[name])
        self.options_open = any(name in self.data for name in LABELS[game]) and bool(self.errors)

    def options(self) -> dict[str, Any]:
        """Return the chosen options as JSON values (after ``is_valid``)."""
        return {name: self.cleaned_data[name] for name in LABELS[self.game_name]}

    def clean(self) -> dict[str, Any]:
        """Check that the rules deal to so many seats under these options."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        rules = GAMES[self.game_name]
        low, high = rules.seat_range(rules.parse_options({n: cleaned[n] for n in LABELS[self.game_name]}))
        if not low <= cleaned["seats"] <= high:
            message = _("With these rules the table needs %(low)d to %(high)d seats.") % {
                "low": low,
                "high": high,
            }
            self.add_error("seats", message)
        return cleaned


def _widest_range(game: str) -> tuple[int, int]:
    rules = GAMES[game]
    widest = {"three_card_loo": {"min_players": 3}, "least_score": {"packs": 2}}[game]
    return rules.seat_range(rules.parse_options(widest))


def _option_field(game: str, name: str, label: Any, usual: Any) -> forms.Field:
    if isinstance(usual, bool):
        return forms.BooleanField(label=label, required=False, initial=usual)
    if name in NUMBERS:
        low, high = NUMBERS[name]
        return forms.IntegerField(label=label, initial=usual, min_value=low, max_value=high)
    by_text = {str(value): value for value in CHOICES[game][name]}
    choices = [(text, value_in_words(name, value)) for text, value in by_text.items()]
    return forms.TypedChoiceField(
        label=label, choices=choices, coerce=by_text.__getitem__, initial=str(usual), empty_value=None
    )

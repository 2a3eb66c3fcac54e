"""The form that opens a table at once: a game, its seats, its bots, its clock and every option of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from games.bots import BOTS
from games.errors import message_for
from games.rules import GAMES, least_score_options, three_card_loo_options
from games.rules.clock import PRESETS
from games.services import StakeTerms, least_stack
from games.wording import CLOCKS, LABELS, options_in_words, title_of, value_in_words

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


class TableForm(forms.Form):
    """What every table has: game, seats, clock and the options of the chosen game."""

    game = forms.ChoiceField(label=_l("Game"))
    seats = forms.TypedChoiceField(label=_l("Seats"), coerce=int)
    clock = forms.ChoiceField(label=_l("Clock"), initial="club")

    def __init__(self, data: Any = None, *args: Any, game: str, **kwargs: Any) -> None:
        """Build the fields for ``game``, which must be a name in ``GAMES``."""
        rules = GAMES[game]
        usual = rules.dump_options(rules.parse_options({}))
        super().__init__(_with_options(data, usual), *args, **kwargs)
        self.game_name = game
        low, high = _widest_range(game)
        fields: dict[str, Any] = self.fields
        fields["game"].choices = [(name, title_of(name)) for name in GAMES]
        fields["game"].initial = game
        fields["seats"].choices = [(n, str(n)) for n in range(low, high + 1)]
        fields["seats"].initial = USUAL_SEATS[game]
        fields["clock"].choices = [(name, CLOCKS[name]) for name in PRESETS]
        for name, label in LABELS[game].items():
            fields[name] = _option_field(game, name, label, usual[name])

    @property
    def options_open(self) -> bool:
        """Whether the part with the game's options must be shown because one of them is wrong."""
        return any(name in LABELS[self.game_name] for name in self.errors)

    @property
    def option_names(self) -> list[str]:
        """The fields that are options of the game."""
        return list(LABELS[self.game_name])

    def options(self) -> dict[str, Any]:
        """Return the chosen options as JSON values (after ``is_valid``)."""
        return {name: self.cleaned_data[name] for name in LABELS[self.game_name]}

    def clean(self) -> dict[str, Any]:
        """Check that the rules deal to so many seats under these options."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        rules = GAMES[self.game_name]
        chosen = {name: cleaned[name] for name in LABELS[self.game_name]}
        seats, (low, high) = cleaned["seats"], rules.seat_range(rules.parse_options(chosen))
        if not low <= seats <= high:
            message = _("With these rules the table needs %(low)d to %(high)d seats.") % {
                "low": low,
                "high": high,
            }
            self.add_error("seats", message)
            for name, value in _what_allows(self.game_name, seats, chosen):
                message = _("For so many seats choose “%(value)s” here.") % {
                    "value": value_in_words(name, value)
                }
                self.add_error(name, message)
        return cleaned


class PlayNowForm(TableForm):
    """A table against bots, at once."""

    level = forms.ChoiceField(label=_l("Bots"), initial="steady")

    def __init__(self, *args: Any, game: str, **kwargs: Any) -> None:
        """Offer the levels of bots that play ``game``."""
        super().__init__(*args, game=game, **kwargs)
        level: Any = self.fields["level"]
        level.choices = [(name, LEVELS.get(name, name)) for name in BOTS[game]]


class NewTableForm(TableForm):
    """A table for members, with stakes if the member who opens it has chips."""

    bots = forms.TypedChoiceField(label=_l("Bots that sit down at once"), coerce=int, initial=0)
    level = forms.ChoiceField(label=_l("How the bots play"), initial="steady")
    listed = forms.BooleanField(
        label=_l("Show the table in the lobby"),
        required=False,
        initial=True,
        help_text=_l("Otherwise it is private: only people to whom you send its link find it."),
    )
    rated = forms.BooleanField(
        label=_l("Rated"),
        required=False,
        help_text=_l("For members only, each at one rated table of a game at a time. No bots, no hints."),
    )
    asset = forms.ChoiceField(label=_l("Chips"), required=False)
    stake = forms.IntegerField(label=_l("Chips per stake"), required=False, min_value=1, max_value=1_000_000)
    buy_in_min = forms.IntegerField(label=_l("Least buy-in, in chips"), required=False, min_value=1)
    buy_in_max = forms.IntegerField(label=_l("Most buy-in, in chips"), required=False, min_value=1)

    def __init__(self, *args: Any, game: str, purses: Mapping[str, int], **kwargs: Any) -> None:
        """``purses`` are the chips of the member by asset; without any the table has no stakes."""
        super().__init__(*args, game=game, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["bots"].choices = [(n, str(n)) for n in range(_widest_range(game)[1])]
        fields["level"].choices = [(name, LEVELS.get(name, name)) for name in BOTS[game]]
        if not purses:
            for name in ("asset", "stake", "buy_in_min", "buy_in_max"):
                del self.fields[name]
            return
        fields["asset"].choices = [
            ("", _("no stakes")),
            *((code, f"{code} ({chips})") for code, chips in purses.items()),
        ]

    def usual(self) -> dict[str, str]:
        """Return what a browser would send for the form as it stands at first."""
        sent = {name: "" if field.initial is None else field.initial for name, field in self.fields.items()}
        return {name: str(value) for name, value in sent.items() if value is not False}

    def clean(self) -> dict[str, Any]:
        """Check that the bots find seats, and that a rated table is one."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        if cleaned["bots"] >= cleaned["seats"]:
            self.add_error("bots", _("One seat is yours: choose fewer bots, or more seats."))
        elif cleaned["rated"] and cleaned["bots"]:
            self.add_error("bots", message_for("no_bots_when_rated"))
        elif cleaned["rated"] and cleaned.get("min_players", 5) < 5:
            self.add_error("rated", message_for("practice_not_rated"))
        return cleaned

    def bots_by_seat(self) -> dict[int, str]:
        """Return the bots' levels by seat: they take the last seats (after ``is_valid``)."""
        seats, bots = self.cleaned_data["seats"], self.cleaned_data["bots"]
        return dict.fromkeys(range(seats - bots + 1, seats + 1), self.cleaned_data["level"])

    def in_words(self) -> str:
        """Return the whole choice as one line of plain words in the active language (after ``is_valid``)."""
        chosen = self.cleaned_data
        rules = GAMES[self.game_name]
        usual = rules.dump_options(rules.parse_options({}))
        parts = [
            title_of(self.game_name),
            ngettext("%(count)d seat", "%(count)d seats", chosen["seats"]) % {"count": chosen["seats"]},
        ]
        if chosen["bots"]:
            bots = ngettext("%(count)d bot", "%(count)d bots", chosen["bots"]) % {"count": chosen["bots"]}
            parts.append(f"{bots} ({LEVELS.get(chosen['level'], chosen['level'])})")
        parts += options_in_words(self.game_name, self.options(), usual)
        parts.append(str(CLOCKS[chosen["clock"]]))
        parts.append(self._stakes_in_words())
        parts.append(_("rated") if chosen["rated"] else _("casual"))
        parts.append(_("shown in the lobby") if chosen["listed"] else _("private, by its link alone"))
        return "\N{NO-BREAK SPACE}· ".join(parts)

    def _stakes_in_words(self) -> str:
        terms = self.terms()
        if terms is None:
            return _("no stakes")
        rules = GAMES[self.game_name]
        least = least_stack(rules, rules.parse_options(self.options()), self.cleaned_data["seats"])
        return _(
            "%(stake)d %(asset)s a stake, buy-in %(low)d to %(high)d chips (the worst first deal costs %(worst)d)"
        ) % {
            "stake": terms.stake,
            "asset": terms.asset,
            "low": terms.buy_in_min,
            "high": terms.buy_in_max,
            "worst": least * terms.stake,
        }

    def terms(self) -> StakeTerms | None:
        """Return the stakes that were asked for, ``None`` without (after ``is_valid``)."""
        chosen = self.cleaned_data
        if not chosen.get("asset"):
            return None
        least = chosen.get("buy_in_min") or 0
        return StakeTerms(chosen["asset"], chosen.get("stake") or 0, least, chosen.get("buy_in_max") or least)


def _with_options(data: Any, usual: Mapping[str, Any]) -> Any:
    """Return what was sent, with the usual options where the form that was filled in was still the other game's.

    Without scripts, and on a slow line, a person can choose a game and send the form before its options are there.
    """
    if data is None or any(name in data for name, value in usual.items() if not isinstance(value, bool)):
        return data
    sent = QueryDict(mutable=True)
    sent.update({name: str(value) for name, value in usual.items() if value is not False})
    sent.update(data)
    return sent


def _widest_range(game: str) -> tuple[int, int]:
    rules = GAMES[game]
    widest = {"three_card_loo": {"min_players": 3}, "least_score": {"packs": 2}}[game]
    return rules.seat_range(rules.parse_options(widest))


def _what_allows(game: str, seats: int, chosen: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return each option, and its value, that alone would let so many seats be dealt to beside the other choices."""
    rules = GAMES[game]
    found = []
    for name, values in CHOICES[game].items():
        for value in values if name not in NUMBERS else ():
            low, high = rules.seat_range(rules.parse_options({**chosen, name: value}))
            if low <= seats <= high:
                found.append((name, value))
    return found


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

"""The form of an event: everything that is published before it begins, filled in by a preset or as it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _l

from games.forms import TableForm
from games.wording import LABELS
from tournaments import wording
from tournaments.models import Tournament
from tournaments.services.terms import BEFORE_REGISTRATION, BEFORE_ROUND_1

MOST_TIE_BREAKS = 4
LOCAL_TIME = "%Y-%m-%dT%H:%M"
GAME_SIZES = {"three_card_loo": (5, 7, 10), "least_score": (3, 4, 6)}
CHOICES = ("venue", "family", "seating", "scoring", "round_end", "advance", "absent")
TITLES: dict[str, Any] = {
    "venue": _l("Where it is played"),
    "capacity": _l("Most players"),
    "check_in_closes_at": _l("Check-in closes and play begins"),
    "absent": _l("A player who is not there"),
    "family": _l("Kind of event"),
    "orbits": _l("Deals of each player in a round"),
    "seating": _l("How tables are drawn"),
    "size_min": _l("Fewest players at a table"),
    "size_ideal": _l("Players at a table, if possible"),
    "size_max": _l("Most players at a table"),
    "round_minutes": _l("Minutes for a round"),
    "advance_count": _l("How many of them"),
    "full_orbits_only": _l("When time is up, deals count only if everybody has dealt equally often"),
}
"""What the form calls a term where the column's own name is too short beside the others."""

NOTES: dict[str, Any] = {
    "check_in_closes_at": _l("The event stands on this day in the calendar. Empty: no date yet."),
    "rounds": _l("1 to 64; in an elimination the most that there can be."),
    "orbits": _l("1: everybody deals once, and the round is over."),
    "capacity": _l("Empty: as many as come. Later ones go on the waiting list."),
    "late_until": _l("0: nobody enters once the event has begun."),
    "round_minutes": _l("Empty: no limit. At the club the clock is shown on the pages."),
    "rated": _l("Fixed rounds only. A table counts when everybody at it has an account."),
    "bands": _l("Swiss: so many tables of neighbours are mixed."),
    "standings_live": _l("Otherwise results are held back until all tables of the round are done."),
    "guaranteed": _l("What the pool lacks of it comes as new chips; only a treasurer may set it."),
    "event_chips": _l("3-Card Loo online: each player gets so many for a round; 0: only the score counts."),
    "final_size": _l("Elimination: so many play the last table."),
    "round_end_count": _l("For “when so many are knocked out”."),
    "advance_count": _l("For “the best” and “the worst”."),
}


class NumbersField(forms.CharField):
    """Whole numbers with commas between them, as a list."""

    default_error_messages = {"numbers": _l("Give whole numbers with commas between them.")}

    def clean(self, value: Any) -> list[int]:
        """Return the numbers; raises ``ValidationError`` for anything else."""
        if isinstance(value, list):  # A field that is locked cleans the value that it has.
            return value
        return numbers_in(str(super().clean(value) or ""), str(self.error_messages["numbers"]))

    def prepare_value(self, value: Any) -> Any:
        """Return a list as its text."""
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class PrizesField(forms.CharField):
    """Rows of prizes: from so many entries on, percentages by place ("1: 100" and "10: 50 30 20")."""

    widget = forms.Textarea(attrs={"rows": 3})
    default_error_messages = {
        "rows": _l("Write a row like “10: 50 30 20”: from 10 players on, percentages by place.")
    }

    def clean(self, value: Any) -> dict[str, list[int]]:
        """Return percentages by the fewest entries for which they hold; raises ``ValidationError``."""
        if isinstance(value, dict):  # A field that is locked cleans the value that it has.
            return value
        rows: dict[str, list[int]] = {}
        for line in str(super().clean(value) or "").splitlines():
            if not line.strip():
                continue
            least, colon, shares = line.partition(":")
            if not colon or not least.strip().isdecimal():
                raise forms.ValidationError(self.error_messages["rows"])
            rows[str(int(least))] = numbers_in(shares, str(self.error_messages["rows"]))
        return rows

    def prepare_value(self, value: Any) -> Any:
        """Return rows as their text."""
        if not isinstance(value, dict):
            return value
        return "\n".join(f"{least}: {' '.join(map(str, shares))}" for least, shares in value.items())


def numbers_in(text: str, wrong: str) -> list[int]:
    """Return the whole numbers of a text; raises ``ValidationError`` with the sentence ``wrong``."""
    parts = [part for part in re.split(r"[\s,;/%]+", text) if part]
    if not all(part.isdecimal() and len(part) <= 9 for part in parts):
        raise forms.ValidationError(wrong)
    return [int(part) for part in parts]


class EventForm(TableForm):
    """All terms of an event; those that can no longer change are shown and locked."""

    name = forms.CharField(label=_l("Name of the event"), max_length=80)
    description = forms.CharField(
        label=_l("Description"), max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    tie_breaks_hint = _l("First, second, ... in the order in which they decide.")

    def __init__(
        self,
        *args: Any,
        game: str,
        assets: Sequence[str],
        tournament: Tournament | None = None,
        **kwargs: Any,
    ) -> None:
        """``assets`` are the chips of the club; ``tournament`` the event whose terms are changed."""
        super().__init__(*args, game=game, **kwargs)
        fields: dict[str, Any] = self.fields
        del fields["seats"]
        for option in wording.FORCED[game]:
            del fields[option]
        for term in self._model_terms():
            fields[term] = self._model_field(term)
        fields["thresholds"] = NumbersField(
            label=_l("Knocked out above"), required=False, help_text=_l("By round, for example 25, 50, 100.")
        )
        for n in range(1, MOST_TIE_BREAKS + 1):
            fields[f"tie_break_{n}"] = forms.ChoiceField(
                label=_l("Tie-break"), required=False, choices=[("", "–"), *wording.TIE_BREAKS.items()]
            )
        fields["pace"] = forms.IntegerField(
            label=_l("Seconds between deals online"), min_value=0, max_value=120, initial=8
        )
        fields["asset"] = forms.ChoiceField(
            label=_l("Chips"), required=False, choices=[("", _l("no chips")), *((a, a) for a in assets)]
        )
        fields["prizes"] = PrizesField(
            label=_l("Prizes in percent"),
            required=False,
            help_text=_l("One row for each size of the field: “10: 50 30 20”. Empty: the winner takes all."),
        )
        for name, value in self._start_values(game, tournament).items():
            fields[name].initial = value
        for name in self.locked_names(tournament):
            fields[name].disabled = True

    @staticmethod
    def _model_terms() -> tuple[str, ...]:
        return (
            *CHOICES,
            *("rounds", "orbits", "size_min", "size_ideal", "size_max", "bands", "standings_live"),
            *("round_minutes", "full_orbits_only", "round_end_count", "advance_count", "final_size"),
            *("capacity", "check_in_needed", "check_in_opens_at", "check_in_closes_at", "late_until"),
            *("fee", "guaranteed", "event_chips", "bots_allowed", "rated"),
        )

    @staticmethod
    def _model_field(term: str) -> forms.Field:
        """Return the field of a term as its column suggests."""
        column: Any = Tournament._meta.get_field(term)
        label = TITLES.get(term) or str(column.verbose_name).capitalize()
        note = NOTES.get(term, "")
        initial = column.default if column.has_default() else None
        common = {"label": label, "help_text": note, "initial": initial}
        if column.choices:
            return forms.ChoiceField(choices=column.choices, **common)
        kind = column.get_internal_type()
        if kind == "BooleanField":
            return forms.BooleanField(required=False, **common)
        if kind == "DateTimeField":
            return forms.DateTimeField(
                required=False,
                input_formats=[LOCAL_TIME, "%Y-%m-%d %H:%M"],
                widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME),
                **common,
            )
        return forms.IntegerField(required=not column.null, min_value=0, max_value=10**9, **common)

    def _start_values(self, game: str, tournament: Tournament | None) -> dict[str, Any]:
        """Return what the form shows before anything is typed."""
        if tournament is None:
            loo = game == "three_card_loo"
            sizes = dict(zip(("size_min", "size_ideal", "size_max"), GAME_SIZES[game], strict=True))
            return {"scoring": "high" if loo else "low", **sizes}
        values: dict[str, Any] = {term: getattr(tournament, term) for term in self._model_terms()}
        for name in self.option_names:
            if name in self.fields and name in tournament.options:
                value = tournament.options[name]
                values[name] = value if isinstance(value, bool) else str(value)
        return values | self.from_terms(
            {
                term: getattr(tournament, term)
                for term in (
                    "name",
                    "description",
                    "game",
                    "clock",
                    "thresholds",
                    "asset",
                    "prizes",
                    "tie_breaks",
                )
            }
            | {"pace_ms": tournament.pace_ms}
        )

    @staticmethod
    def from_terms(terms: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields' values for terms of an event."""
        values = dict(terms)
        breaks = values.pop("tie_breaks", [])
        if "pace_ms" in values:
            values["pace"] = values.pop("pace_ms") // 1000
        numbered = {f"tie_break_{n}": name for n, name in enumerate(breaks[:MOST_TIE_BREAKS], 1)}
        return values | numbered

    def locked_names(self, tournament: Tournament | None) -> list[str]:
        """Return the fields whose terms can no longer change."""
        state = Tournament.State
        if tournament is None or tournament.state == state.DRAFT:
            return []
        fixed: set[str] = set(BEFORE_REGISTRATION)
        if tournament.state not in (state.REGISTRATION, state.CHECK_IN):
            fixed |= set(BEFORE_ROUND_1)
        ruled = set(LABELS[self.game_name]) if "options" in fixed else set()
        breaks = {f"tie_break_{n}" for n in range(1, MOST_TIE_BREAKS + 1)} if "tie_breaks" in fixed else set()
        return [name for name in self.fields if name in fixed | ruled | breaks]

    def clean(self) -> dict[str, Any]:
        """Leave the check of the terms to the service, which knows them all."""
        return dict(self.cleaned_data)

    def terms(self) -> dict[str, Any]:
        """Return the terms of the event (after ``is_valid``)."""
        chosen = dict(self.cleaned_data)
        breaks = [chosen.pop(f"tie_break_{n}") for n in range(1, MOST_TIE_BREAKS + 1)]
        options = {name: chosen.pop(name) for name in self.option_names if name in chosen}
        pace = chosen.pop("pace")
        return {
            **chosen,
            "options": options,
            "pace_ms": pace * 1000,
            "tie_breaks": [name for name in breaks if name],
        }

    def section(self, *names: str) -> list[Any]:
        """Return the bound fields of these names that the form has."""
        return [self[name] for name in names if name in self.fields]

    @property
    def sections(self) -> list[tuple[Any, list[Any], bool]]:
        """The form's parts as its page shows them: (title, fields, whether it is open at first)."""
        parts: list[tuple[Any, list[Any]]] = [
            (
                _l("When and who"),
                self.section(
                    *("venue", "check_in_opens_at", "check_in_closes_at", "check_in_needed", "capacity"),
                    *("late_until", "absent", "bots_allowed", "rated"),
                ),
            ),
            (
                _l("Rounds and tables"),
                self.section(
                    *("family", "rounds", "orbits", "seating", "size_min", "size_ideal", "size_max", "bands"),
                    *("round_minutes", "full_orbits_only", "clock", "pace"),
                ),
            ),
            (
                _l("Elimination"),
                self.section(
                    *("thresholds", "round_end", "round_end_count", "advance", "advance_count", "final_size"),
                ),
            ),
            (
                _l("What counts"),
                self.section(
                    "scoring", *(f"tie_break_{n}" for n in range(1, MOST_TIE_BREAKS + 1)), "standings_live"
                ),
            ),
            (_l("Fee and prizes"), self.section("asset", "fee", "prizes", "guaranteed", "event_chips")),
            (_l("Rules of the game"), self.section(*self.option_names)),
        ]
        # What an elimination asks for is hidden by the style sheet as long as rounds are fixed.
        wanted = (0, 1, 2) if not self.is_bound else ()
        return [
            (title, fields, n in wanted or any(field.errors for field in fields))
            for n, (title, fields) in enumerate(parts)
        ]

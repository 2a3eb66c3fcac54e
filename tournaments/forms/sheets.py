"""Score sheets: one deal of either game, or a whole round, with a line for every player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _l

Players = Sequence[tuple[int, str]]
"""Entry number and name of everybody at the table, in seat order."""


@dataclass(frozen=True)
class SheetLine:
    """One player's line of a sheet: the fields to be filled in."""

    number: int
    name: str
    fields: tuple[Any, ...]


def _number_field(label: str, *, low: int | None = None, required: bool = False) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric" if low is not None else "text"})
    return forms.IntegerField(
        label=label,
        required=required,
        min_value=low,
        max_value=10**6,
        widget=widget,
        error_messages={
            "required": _l("Write a number."),
            "invalid": _l("Write a whole number."),
            "min_value": _l("Write 0 or more."),
            "max_value": _l("That is too much."),
        },
    )


class SheetForm(forms.Form):
    """What all sheets have: the players, each with a line."""

    columns: tuple[Any, ...] = ()
    kinds: tuple[str, ...] = ()

    def __init__(self, *args: Any, players: Players, **kwargs: Any) -> None:
        """Build a line of fields for every player."""
        super().__init__(*args, **kwargs)
        self.players = players
        for number, name in players:
            for kind in self.kinds:
                self.fields[f"{kind}-{number}"] = self.field_of(kind, name)
        for name, field in self.common_fields().items():
            self.fields[name] = field

    def field_of(self, kind: str, name: str) -> forms.Field:
        """Return a player's field of a kind."""
        raise NotImplementedError

    def common_fields(self) -> dict[str, forms.Field]:
        """Return the fields that the table has once."""
        return {}

    @property
    def lines(self) -> list[SheetLine]:
        """The players' lines, in seat order."""
        return [
            SheetLine(number, name, tuple(self[f"{kind}-{number}"] for kind in self.kinds))
            for number, name in self.players
        ]

    @property
    def common(self) -> list[Any]:
        """The fields that the table has once."""
        return [self[name] for name in self.common_fields()]

    def numbers(self, kind: str) -> dict[int, int]:
        """Return a kind's numbers by entry, without those left empty (after ``is_valid``)."""
        found = {number: self.cleaned_data[f"{kind}-{number}"] for number, _name in self.players}
        return {number: value for number, value in found.items() if value is not None}

    def chosen(self, name: str) -> int | None:
        """Return the player that a choice names (after ``is_valid``)."""
        return int(self.cleaned_data[name]) if self.cleaned_data[name] else None

    def one_of(self, label: Any, nobody: Any) -> forms.ChoiceField:
        """Return a choice of one player, or nobody."""
        choices = [("", nobody), *((str(number), name) for number, name in self.players)]
        return forms.ChoiceField(label=label, required=False, choices=choices)


class LeastSheet(SheetForm):
    """A deal of Least Score: everybody's total, and who declared."""

    columns = (_l("Total of the hand"),)
    kinds = ("total",)

    def field_of(self, kind: str, name: str) -> forms.Field:
        """Return the field of a player's total."""
        return _number_field(f"{_l('Total of the hand')}: {name}", low=0, required=True)

    def common_fields(self) -> dict[str, forms.Field]:
        """Return who declared."""
        return {"declarer": self.one_of(_l("Who declared"), _l("nobody"))}

    def sheet(self) -> dict[str, Any]:
        """Return the sheet as the service takes it (after ``is_valid``)."""
        return {"totals": self.numbers("total"), "declarer": self.chosen("declarer")}

    @staticmethod
    def values_of(sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return a stored sheet as the form's values."""
        return {
            **{f"total-{number}": total for number, total in sheet.get("totals", {}).items()},
            "declarer": str(sheet.get("declarer") or ""),
        }


class LooSheetForm(SheetForm):
    """A deal of 3-Card Loo: who was in, tricks, the miss."""

    columns = (_l("Was in"), _l("Tricks"))
    kinds = ("in", "tricks")

    def field_of(self, kind: str, name: str) -> forms.Field:
        """Return the field for being in, or for tricks."""
        if kind == "in":
            return forms.BooleanField(label=f"{_l('Was in')}: {name}", required=False)
        return _number_field(f"{_l('Tricks')}: {name}", low=0)

    def common_fields(self) -> dict[str, forms.Field]:
        """Return who played the miss, and whether the dealer defended with it."""
        return {
            "miss": self.one_of(_l("Who played the miss"), _l("nobody")),
            "defended": forms.BooleanField(label=_l("The dealer defended with the miss"), required=False),
        }

    def sheet(self) -> dict[str, Any]:
        """Return the sheet as the service takes it (after ``is_valid``)."""
        return {
            "playing": [number for number, _name in self.players if self.cleaned_data[f"in-{number}"]],
            "tricks": {number: tricks for number, tricks in self.numbers("tricks").items() if tricks},
            "miss": self.chosen("miss"),
            "defended": self.cleaned_data["defended"],
        }

    @staticmethod
    def values_of(sheet: Mapping[str, Any]) -> dict[str, Any]:
        """Return a stored sheet as the form's values."""
        return {
            **{f"in-{number}": True for number in sheet.get("playing", [])},
            **{f"tricks-{number}": tricks for number, tricks in sheet.get("tricks", {}).items()},
            "miss": str(sheet.get("miss") or ""),
            "defended": bool(sheet.get("defended")),
        }


class ScoresForm(SheetForm):
    """Everybody's score: of a whole round, or of a deal that is corrected."""

    columns = (_l("Score"),)
    kinds = ("score",)

    def field_of(self, kind: str, name: str) -> forms.Field:
        """Return the field of a player's score."""
        return _number_field(f"{_l('Score')}: {name}", required=True)

    def scores(self) -> dict[int, int]:
        """Return the scores by entry (after ``is_valid``)."""
        return self.numbers("score")

    @staticmethod
    def values_of(scores: Mapping[str, int]) -> dict[str, Any]:
        """Return stored scores as the form's values."""
        return {f"score-{number}": score for number, score in scores.items()}


SHEETS: dict[str, type[LeastSheet] | type[LooSheetForm]] = {
    "least_score": LeastSheet,
    "three_card_loo": LooSheetForm,
}

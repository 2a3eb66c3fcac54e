"""What organisers and players fill in: the terms of an event, score sheets."""

from tournaments.forms.sheets import SHEETS, LeastSheet, LooSheetForm, Players, ScoresForm, SheetForm
from tournaments.forms.terms import EventForm

__all__ = ["SHEETS", "EventForm", "LeastSheet", "LooSheetForm", "Players", "ScoresForm", "SheetForm"]

"""The record of an event: every action in words, with whom it concerned and what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import FieldDoesNotExist
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournaments import selectors, wording
from tournaments.errors import message_for
from tournaments.models import Action, Tournament
from tournaments.views.asking import for_organisers, of_event, page

ON_A_PAGE = 50
MOVES_TOLD = 3
"""Of each action in the list; an event of many players moves chips for each of them."""
MOST_NAMES = 6
REFUSED = ("passed_over", "not_drawn", "not_opened")
"""Actions of the site whose reason is the code of a refusal."""

Names = Mapping[int, str]


@login_required
@require_safe
@of_event
@for_organisers
def record(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who did what, when and why, the newest first."""
    rows = Paginator(selectors.actions_of(tournament), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": rows, "lines": told_actions(tournament, rows.object_list)}
    return page(request, "tournaments/record.html", tournament, context)


def told_actions(tournament: Tournament, actions: Iterable[Action]) -> list[dict[str, Any]]:
    """Return actions with what they say in words."""
    entries = selectors.entries_of(tournament)
    names = {entry.number: entry.shown_name for entry in entries}
    people = {entry.number: entry.user_id for entry in entries}
    lines = []
    for action in actions:
        own = wording.is_own(action.kind, action.by_id, people.get(_told(action).get("entry", 0)))
        lines.append(
            {
                "action": action,
                "words": wording.action_in_words(action.kind, own=own),
                "details": details_in_words(tournament, action, {} if own else names),
                "reason": message_for(action.reason) if action.kind in REFUSED else action.reason,
                "moved": [wording.moved_in_words(each) for each in action.moved[:MOVES_TOLD]],
            }
        )
    return lines


def _told(action: Action) -> dict[str, Any]:
    return next((told for told in (action.after, action.before) if isinstance(told, dict)), {})


def details_in_words(tournament: Tournament, action: Action, names: Names) -> str:
    """Return what an action tells beyond its kind: round, table, deal, players, what changed."""
    before, after, told = action.before, action.after, _told(action)
    gone = [player for group in told.get("out", []) for player in group]
    parts = [
        _("round %(n)s") % {"n": told["round"]} if "round" in told else "",
        _("table %(n)s") % {"n": told["table"]} if isinstance(told.get("table"), int) else "",
        _("tables %(list)s") % {"list": ", ".join(map(str, told["tables"]))}
        if _numbers(told, "tables")
        else "",
        _("deal %(n)s") % {"n": told["deal"]} if told.get("deal") else "",
        _("version %(n)s") % {"n": told["draw"]} if "draw" in told else "",
        names.get(told["entry"], "") if isinstance(told.get("entry"), int) else "",
        _people(told.get("entries") or told.get("players") or gone, names),
        _people(after or before, names),
        _people([move[1] for move in told.get("moves", [])], names),
        _played_by(told),
        _moment(told["opens_at"]) if told.get("opens_at") else "",
        _("%(n)s s in all") % {"n": told["seconds"]} if "seconds" in told else "",
        str(after or "–") if action.kind == "season" else "",
        (told["text"] or "–") if action.kind == "announced" else "",
        *_changes(tournament, before, after, names),
    ]
    return ", ".join(part for part in parts if part)


def _numbers(told: Mapping[str, Any], name: str) -> bool:
    """Whether the action names tables by number; a release lists the seats of each instead."""
    listed = told.get(name)
    return isinstance(listed, list) and bool(listed) and all(isinstance(each, int) for each in listed)


def _played_by(told: Mapping[str, Any]) -> str:
    return _("played by %(name)s") % {"name": told["plays"]} if "plays" in told else ""


def _people(numbers: Any, names: Names) -> str:
    if not isinstance(numbers, list):
        return ""
    if len(numbers) > MOST_NAMES:
        return ngettext("%(count)d player", "%(count)d players", len(numbers)) % {"count": len(numbers)}
    return ", ".join(names.get(number, str(number)) for number in numbers)


def _changes(tournament: Tournament, before: Any, after: Any, names: Names) -> list[str]:
    """Return what is not as it was before: scores by player, and terms of the event by their names."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return []
    told = []
    for name in before:
        old: Any = before[name]
        new: Any = after.get(name, old)
        if old == new:
            continue
        if name == "scores":
            told += _scores(old, new, names)
        elif name == "struck":
            told.append(_("does not count") if new else _("counts again"))
        else:
            told += _term(tournament, name, old, new)
    return told


def _scores(old: Mapping[str, int], new: Mapping[str, int], names: Names) -> list[str]:
    changed = [player for player in old if old[player] != new.get(player)]
    return [f"{names.get(int(player), player)}: {old[player]} → {new.get(player, '–')}" for player in changed]


def _term(tournament: Tournament, name: str, old: Any, new: Any) -> list[str]:
    """Return how a term of the event changed; nothing for what is no term."""
    try:
        field: Any = Tournament._meta.get_field(name)
    except FieldDoesNotExist:
        return []
    shown = [_value(tournament, field, value) for value in (old, new)]
    return [f"{field.verbose_name}: {shown[0]} → {shown[1]}"]


def _value(tournament: Tournament, field: Any, value: Any) -> str:
    """Return a term's value as people read it."""
    if value in (None, "", [], {}):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if field.choices:
        return str(dict(field.choices).get(value, value))
    if field.name == "options":
        return wording.game_rules_in_words(tournament.game, value)
    if field.name == "tie_breaks":
        return ", ".join(str(wording.TIE_BREAKS.get(each, each)) for each in value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):  # Prizes: percentages by the fewest players for which they hold.
        return "; ".join(f"{least}: {' '.join(map(str, shares))}" for least, shares in value.items())
    text = _moment(value) if field.get_internal_type() == "DateTimeField" else str(value)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _moment(text: Any) -> str:
    """Return a time as the record keeps it, in the active language."""
    moment = parse_datetime(str(text))
    return date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT") if moment else str(text)

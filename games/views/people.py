"""The page of a person: figures and matches, and what other apps add (``clubs.signals.profile_shown``)."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.models import User
from clubs.selectors import may_see_person
from clubs.signals import profile_shown
from clubs.views.asking import club_of
from games.selectors.leaderboard import ratings_of
from games.selectors.people import COUNTED, Figures, figures_of, matches_of
from games.views.sections import decimal
from games.wording import title_of


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Whoever may not see a person finds nothing here, as if there were nobody of that name."""
    shown = get_object_or_404(User, username=username)
    if not may_see_person(request.user, shown):
        raise Http404("no such person for whoever asks")
    matches, following = matches_of(shown, request.user, after=_place(request.GET.get("after", "")))
    answers = profile_shown.send(sender=User, person=shown, viewer=request.user)
    context = {
        "person": shown,
        "own": shown == request.user,
        "figures": [_told(figures) for figures in figures_of(shown.pk)],
        "counted": COUNTED,
        "ratings": ratings_of(shown, club_of(request)),
        "matches": matches,
        "following": following,
        "sections": [section for _receiver, section in answers if section],
    }
    return render(request, "games/person.html", context)


def _told(figures: Figures) -> dict[str, Any]:
    """A game's figures as (what, how much) in words."""
    kinds = figures.kinds
    rows = [
        (_("Matches"), str(figures.matches)),
        (_("Won"), _share(figures.wins, figures.matches)),
        (
            _("Average place"),
            _("%(place)s of %(players)s")
            % {"place": decimal(figures.average_place), "players": decimal(figures.average_players)},
        ),
    ]
    if figures.game == "three_card_loo":
        rows += [
            (
                _("Tricks"),
                ngettext("%(number)d in %(deals)d deal", "%(number)d in %(deals)d deals", kinds["deals"])
                % {"number": kinds["tricks"], "deals": kinds["deals"]},
            ),
            (_("Looed"), _share(kinds["looed"], kinds["deals"])),
        ]
    else:
        rows.append((_("Declared and lowest"), _share(kinds["succeeded"], kinds["declared"])))
    return {"title": title_of(figures.game), "rows": rows}


def _share(part: int, whole: int) -> str:
    if not whole:
        return "–"
    return _("%(part)d of %(whole)d (%(percent)d%%)") % {
        "part": part,
        "whole": whole,
        "percent": round(100 * part / whole),
    }


def _place(text: str) -> tuple[dt.datetime, UUID] | None:
    """Return the place that an address names as ``moment~table``; the beginning for any other text."""
    moment, _tilde, table = text.partition("~")
    try:
        at = dt.datetime.fromisoformat(moment)
        return (at, UUID(table)) if at.tzinfo else None
    except ValueError:
        return None

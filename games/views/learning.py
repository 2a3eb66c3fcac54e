"""Pages for learning: lessons, rules, glossary."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_POST, require_safe

from clubs.models import User
from games import selectors, services
from games.errors import TableRefusal
from games.forms import USUAL_SEATS
from games.glossary import glossary_parts
from games.lessons import LESSONS, count_steps, tell
from games.models import Table
from games.rules import GAMES
from games.selectors.entrance import table_gate
from games.views.addresses import whole
from games.wording import title_of

ABOUT: dict[str, str | Promise] = {
    "three_card_loo": _l(
        "Three cards each, and stakes in the middle. Say whether your cards are good enough, then play for a share."
    ),
    "least_score": _l(
        "Five cards each. Throw them away in pairs and runs until you hold the least. The easier game to begin with."
    ),
}
FANS = {"three_card_loo": ("KH", "4H", "AC"), "least_score": ("7C", "8H", "9D")}


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """The lessons of both games, with how far the person is."""
    kept = selectors.lessons_of(request.user.pk)
    lessons = [
        {
            "game": game,
            "title": title_of(game),
            "about": ABOUT[game],
            "cards": [static(f"cards/four-big/{card}.svg") for card in FANS[game]],
            "count": count_steps(scenes),
            "step": kept[game].step if game in kept else 1,
            "finished": game in kept and kept[game].finished_at is not None,
        }
        for game, scenes in LESSONS.items()
    ]
    return render(request, "games/learn.html", {"lessons": lessons})


@require_safe
def lesson(request: HttpRequest, game: str) -> HttpResponse:
    """A first deal that is played step by step; it begins where the person was, and anew after its end."""
    if game not in LESSONS:
        raise Http404
    kept = selectors.lessons_of(request.user.pk).get(game)
    name = request.user.shown_name if isinstance(request.user, User) else _("Newcomer")
    step = kept.step if kept is not None and kept.step < count_steps(LESSONS[game]) else 1
    context = {
        "game": game,
        "title": title_of(game),
        "kept": step,
        "seats": USUAL_SEATS[game],
        "lesson": tell(game, LESSONS[game], name),
    }
    return render(request, "games/lesson.html", context)


@login_required
@require_POST
def lesson_step(request: HttpRequest, game: str) -> HttpResponse:
    """Keep at which step of a lesson the person is."""
    try:
        step = whole(request.POST.get("step", ""))
        services.note_lesson_step(user_id=request.user.pk or 0, game=game, step=step)
    except TableRefusal as refusal:
        return JsonResponse({"code": refusal.code, "message": refusal.message}, status=422)
    return HttpResponse(status=204)


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one game in plain words; ``?table=`` adds what the table that one came from plays by."""
    if game not in GAMES:
        raise Http404
    context = {"game": game, "title": title_of(game), "of_table": _table_asked(request, game)}
    return render(request, f"games/rules/{game}.html", context)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """The terms of both games in both languages."""
    return render(
        request, "games/glossary.html", {"parts": glossary_parts(), "languages": settings.LANGUAGES}
    )


def _table_asked(request: HttpRequest, game: str) -> Table | None:
    """Return the table of that game which an address names and the reader may see, ``None`` for anything else."""
    try:
        wanted = UUID(request.GET.get("table", ""))
    except ValueError:
        return None
    if table_gate(wanted, request.user, "games:rules") is None:
        return None
    return Table.objects.filter(pk=wanted, game=game).first()

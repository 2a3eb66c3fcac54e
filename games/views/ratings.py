"""Pages of ratings: a club's leaderboard, one person's rating match by match, what a match brought."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.views.asking import seen_club
from games.charts import curve
from games.forms import LEVELS
from games.models import Table
from games.rules import GAMES
from games.selectors.leaderboard import changes_at, leaderboard, rating_history
from games.views.addresses import whole
from games.views.asking import USUAL_GAME, game_cards
from games.views.seen import seen
from games.wording import title_of


@require_safe
def ratings(request: HttpRequest, game: str = USUAL_GAME) -> HttpResponse:
    """The best of the club in a game, 50 a page (``?page=``), the own line, and the bots."""
    if game not in GAMES:
        raise Http404
    board = leaderboard(seen_club(request), game, request.user, page=whole(request.GET.get("page", "1")))
    bots = [(LEVELS.get(row.bot_level, row.bot_level), row) for row in board.bots]
    context = {"game": game, "title": title_of(game), "games": game_cards(), "board": board, "bots": bots}
    return render(request, "games/ratings.html", context)


@require_safe
def rating(request: HttpRequest, game: str, person_id: int) -> HttpResponse:
    """One person's rating match by match, for those who may see the person; ``?before=`` is where older ones begin."""
    if game not in GAMES:
        raise Http404
    before = whole(request.GET.get("before", ""))
    history = rating_history(
        seen_club(request), game, request.user, person_id, before=before if before > 0 else None
    )
    if history is None:
        raise Http404
    start = history.drawn[0].before.points
    context = {
        "game": game,
        "title": title_of(game),
        "history": history,
        "chart": curve([start, *(change.after.points for change in history.drawn)]),
    }
    return render(request, "games/rating.html", context)


@require_safe
def table_ratings(request: HttpRequest, table_id: UUID) -> JsonResponse:
    """What the match of a table did to the ratings of its seats as JSON; 404 before it is over for who asks."""
    row = get_object_or_404(Table.objects.defer("match", "chain_end"), pk=table_id)
    table = seen(request, row).table
    changes = changes_at(table_id) if table.status == Table.Status.FINISHED else []
    if not changes:
        raise Http404
    found = [
        {
            "seat": change.seat,
            "points": change.after.points,
            "gain": change.points,
            "provisional": change.after.is_provisional,
        }
        for change in changes
    ]
    return JsonResponse({"changes": found})

"""Pages of the tables: parse, call one service, answer."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_GET, require_POST

from clubs.models import User
from clubs.services import create_guest
from games import selectors, services
from games.errors import TableRefusal
from games.forms import PlayNowForm
from games.messages import TableSnapshot, state_frame
from games.models import Deal, Table
from games.rules import GAMES
from games.rules.proof import dump_proof
from games.rules.record import dump_record
from games.wording import title_of

USUAL_GAME = "three_card_loo"


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The first page: play at once, and the way back to one's own tables."""
    return _home(request, PlayNowForm(game=_game_named(request.GET.get("game"))))


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Open a table against bots; a person without an account plays as a guest."""
    form = PlayNowForm(request.POST, game=_game_named(request.POST.get("game")))
    if not form.is_valid():
        return _home(request, form, status=422)
    try:
        table = services.play_now(
            user=_person(request),
            game=form.game_name,
            seats=form.cleaned_data["seats"],
            level=form.cleaned_data["level"],
            clock=form.cleaned_data["clock"],
            options=form.options(),
        )
    except TableRefusal as refusal:
        form.add_error(None, refusal.message)
        return _home(request, form, status=422)
    return redirect("games:table", table_id=table.id)


@require_GET
def table(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """The table's page; everything after the first view comes over its socket."""
    try:
        snapshot = TableSnapshot(table_id, since=2**62)
    except TableRefusal as refusal:
        raise Http404(refusal.message) from refusal
    seat = selectors.seat_of(table_id, request.user.pk)
    number = seat.number if seat is not None else None
    context = {
        "table": snapshot.table,
        "socket_path": f"/ws/tables/{table_id}/",
        "snapshot": state_frame(snapshot, seat=number, events=[], now=timezone.now()),
    }
    return render(request, "games/table.html", context)


@require_POST
def leave(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Leave one's seat; a bot plays the deal to its end."""
    get_object_or_404(Table, pk=table_id)
    try:
        services.leave_table(table_id=table_id, user_id=request.user.pk or 0)
    except TableRefusal as refusal:
        messages.error(request, refusal.message)
        return redirect("games:table", table_id=table_id)
    return redirect("games:home")


@require_POST
def again(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Open a new table with the same game, rules, clock and number of bots."""
    old = get_object_or_404(Table, pk=table_id)
    bots = [seat.bot_level for seat in old.seats.all() if seat.is_bot]
    try:
        new = services.play_now(
            user=_person(request),
            game=old.game,
            seats=old.seats.count(),
            level=bots[0] if bots else "steady",
            clock=old.clock,
            options=old.options,
        )
    except TableRefusal as refusal:
        messages.error(request, refusal.message)
        return redirect("games:table", table_id=table_id)
    return redirect("games:table", table_id=new.id)


@require_GET
def deal_record(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """The record of a deal that is over, for ``manage.py replay`` and other programs."""
    return _deal_file(table_id, number, "record", lambda *of: dump_record(selectors.record_of(*of)))


@require_GET
def deal_proof(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """The proof of a deal that is over, for ``manage.py check_deal`` and ``docs/check_deal.py``."""
    return _deal_file(table_id, number, "proof", lambda *of: dump_proof(selectors.proof_of(*of)))


@require_GET
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one game in plain words."""
    if game not in GAMES:
        raise Http404
    return render(request, f"games/rules/{game}.html", {"game": game, "title": title_of(game)})


def _deal_file(
    table_id: UUID, number: int, name: str, content: Callable[[Table, Deal], dict[str, object]]
) -> HttpResponse:
    try:
        table, deal = selectors.ended_deal(table_id, number)
    except TableRefusal as refusal:
        status = 404 if refusal.code == "no_such_deal" else 409
        return JsonResponse({"code": refusal.code, "message": refusal.message}, status=status)
    response = JsonResponse(content(table, deal))
    response["Content-Disposition"] = f'attachment; filename="{name}-{str(table_id)[:8]}-{number}.json"'
    return response


def _home(request: HttpRequest, form: PlayNowForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "games": [_game_card(name) for name in GAMES],
        "my_tables": selectors.tables_of(request.user.pk) if request.user.is_authenticated else [],
    }
    return render(request, "games/home.html", context, status=status)


def _game_card(name: str) -> dict[str, object]:
    low, high = GAMES[name].seat_range(
        GAMES[name].parse_options({"packs": 2} if name == "least_score" else {})
    )
    return {"name": name, "title": title_of(name), "seats_min": low, "seats_max": high}


def _game_named(name: str | None) -> str:
    return name if name in GAMES else USUAL_GAME


def _person(request: HttpRequest) -> User:
    """Return who is asking, signing a newcomer in as a guest."""
    if isinstance(request.user, User):
        return request.user
    guest = create_guest(language=get_language() or "en")
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest

"""Pages of the tables: parse, call one service, answer."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_GET, require_POST

from clubs.models import User
from clubs.services import create_guest
from games import selectors, services, stakes
from games.errors import TableRefusal
from games.forms import NewTableForm, PlayNowForm
from games.messages import TableSnapshot, state_frame
from games.models import Table
from games.rules import GAMES
from games.views.addresses import whole
from games.wording import CLOCKS, title_of

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
    if snapshot.table.status == Table.Status.SEATING:
        return _seating(request, snapshot, number)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = {
        "table": snapshot.table,
        "purse": _purse(request, snapshot.table),
        "socket_path": f"/ws/tables/{table_id}/",
        "snapshot": state_frame(snapshot, seat=number, events=[], now=timezone.now()),
    }
    return render(request, "games/table.html", context)


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """The open tables, filtered by what the address says."""
    wanted = {name: request.GET.get(name, "") for name in ("game", "clock", "stakes")}
    context = {
        "tables": selectors.lobby(**wanted, free=bool(request.GET.get("free"))),
        "wanted": wanted,
        "free": bool(request.GET.get("free")),
        "games": [_game_card(name) for name in GAMES],
        "clocks": CLOCKS,
        "my_tables": selectors.tables_of(request.user.pk) if request.user.is_authenticated else [],
    }
    return render(request, "games/lobby.html", context)


def new_table(request: HttpRequest) -> HttpResponse:
    """The form that opens a table for members, and the opening itself; its opener sits down in seat 1."""
    asked = request.POST if request.method == "POST" else request.GET
    purses = stakes.purses_of(request.user) if isinstance(request.user, User) else {}
    data = request.POST if request.method == "POST" else None
    form = NewTableForm(data, game=_game_named(asked.get("game")), purses=purses)
    if request.method == "POST" and form.is_valid():
        person = _person(request)
        try:
            opened = services.open_table(
                game=form.game_name,
                options=form.options(),
                clock=form.cleaned_data["clock"],
                members={1: person},
                bots={},
                opened_by=person,
                seats=form.cleaned_data["seats"],
                terms=form.terms(),
                listed=form.cleaned_data["listed"],
            )
            return redirect("games:table", table_id=opened.id)
        except TableRefusal as refusal:
            form.add_error(None, refusal.message)
    status = 422 if form.is_bound else 200
    context = {"form": form, "games": [_game_card(name) for name in GAMES]}
    return render(request, "games/new_table.html", context, status=status)


@require_POST
def sit(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Sit down in a free seat; at a staked table with a buy-in."""
    number, buy_in = _number(request, "seat"), _number(request, "buy_in")
    return _at_table(
        request,
        table_id,
        lambda: services.sit_down(table_id=table_id, user=_person(request), number=number, buy_in=buy_in),
    )


@require_POST
def fill(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Give the free seats to bots."""
    return _at_table(
        request, table_id, lambda: services.fill_with_bots(table_id=table_id, user_id=request.user.pk or 0)
    )


@require_POST
def buy(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Bring more chips to one's seat between two deals."""
    chips = _number(request, "chips") or 0
    return _at_table(
        request,
        table_id,
        lambda: services.buy_chips(table_id=table_id, user_id=request.user.pk or 0, chips=chips),
    )


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
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one game in plain words."""
    if game not in GAMES:
        raise Http404
    return render(request, f"games/rules/{game}.html", {"game": game, "title": title_of(game)})


def _at_table(request: HttpRequest, table_id: UUID, act: Callable[[], object]) -> HttpResponse:
    """Do something at a table and go back to its page, with the reason if it was refused."""
    get_object_or_404(Table, pk=table_id)
    try:
        act()
    except TableRefusal as refusal:
        messages.error(request, refusal.message)
    return redirect("games:table", table_id=table_id)


def _number(request: HttpRequest, name: str) -> int | None:
    """Return a whole number that was sent, ``None`` if there is none; -1, which nothing allows, for other text."""
    text = request.POST.get(name, "")
    return None if not text else whole(text)


def _seating(request: HttpRequest, snapshot: TableSnapshot, number: int | None) -> HttpResponse:
    """The page of a table whose seats are filling; it asks for itself anew every other second."""
    context = {
        "table": snapshot.table,
        "seats": snapshot.seats,
        "free_seats": sum(seat.is_free for seat in snapshot.seats),
        "you": number,
        "purse": _purse(request, snapshot.table),
        "link": request.build_absolute_uri(request.path),
    }
    return render(request, "games/seating.html", context)


def _home(request: HttpRequest, form: PlayNowForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "games": [_game_card(name) for name in GAMES],
        "my_tables": selectors.tables_of(request.user.pk) if request.user.is_authenticated else [],
    }
    return render(request, "games/home.html", context, status=status)


def _purse(request: HttpRequest, table: Table) -> int:
    """Return the chips that the person could bring to a staked table."""
    if not table.staked or not isinstance(request.user, User):
        return 0
    return stakes.purses_of(request.user).get(table.asset, 0)


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

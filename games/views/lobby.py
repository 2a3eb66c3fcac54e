"""The first page, the lobby and the form that opens a table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import User
from clubs.selectors import may_play_at
from clubs.services import founding_waits
from clubs.views.asking import club_of
from games import selectors, services, stakes
from games.errors import TableRefusal, message_for
from games.forms import NewTableForm, PlayNowForm
from games.models import Table
from games.presets import PRESETS
from games.views.asking import explained, game_cards, game_named, person_of
from games.wording import CLOCKS


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The first page: play at once, and the way back to one's own tables. A site without a club asks for its founder."""
    if founding_waits() and not club_of(request).founded_at:
        return redirect("found")
    return _home(request, PlayNowForm(game=game_named(request.GET.get("game"))))


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Open a table against bots; a person without an account plays as a guest."""
    form = PlayNowForm(request.POST, game=game_named(request.POST.get("game")))
    if not form.is_valid():
        return _home(request, form, status=422)
    try:
        table = services.play_now(
            user=person_of(request),
            game=form.game_name,
            seats=form.cleaned_data["seats"],
            level=form.cleaned_data["level"],
            clock=form.cleaned_data["clock"],
            options=form.options(),
            club=club_of(request),
        )
    except TableRefusal as refusal:
        form.add_error(None, refusal.message)
        return _home(request, form, status=422)
    return redirect("games:table", table_id=table.id)


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Open tables and those to watch, filtered by what the address says; a socket keeps the page up to date."""
    wanted = {name: request.GET.get(name, "") for name in ("game", "clock", "stakes", "rating")}
    free = bool(request.GET.get("free"))
    club, lists = club_of(request), selectors.Lists([], [])
    welcome = may_play_at(request.user, club)
    if welcome:
        lists = selectors.lobby_lists(club_id=club.pk, **wanted, free=free)
    context = {
        "welcome": welcome,
        "tables": [*lists.open, *lists.running],
        "open_tables": lists.open,
        "running_tables": lists.running,
        "wanted": wanted,
        "free": free,
        "games": game_cards(),
        "clocks": CLOCKS,
        "my_tables": _tables_of(request),
    }
    return render(request, "games/lobby.html", context)


@require_safe
def my_tables(request: HttpRequest) -> HttpResponse:
    """The list of one's own tables alone, which the lobby asks for from time to time."""
    return render(request, "games/_my_tables.html", {"my_tables": _tables_of(request)})


@require_http_methods(["GET", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """The form that opens a table, with the whole choice in plain words, and the opening itself.

    Its opener sits down in seat 1. ``preset`` fills the form in, ``show`` shows what was chosen and opens nothing.
    """
    purses = stakes.purses_of(request.user, club=club_of(request)) if isinstance(request.user, User) else {}
    form = NewTableForm(_sent(request, purses), game=_game_asked(request), purses=purses)
    opening = request.method == "POST" and "show" not in request.POST
    if form.is_valid() and opening:
        opened = _open(request, form)
        if opened is not None:
            return redirect("games:table", table_id=opened.id)
    context = {
        "form": form,
        "games": game_cards(),
        "presets": PRESETS,
        "preset": request.GET.get("preset", ""),
        "choice": form.in_words() if form.is_valid() else "",
    }
    return render(request, "games/new_table.html", context, status=422 if opening else 200)


def _sent(request: HttpRequest, purses: dict[str, int]) -> QueryDict:
    """Return what the form shows: what was sent, else the usual table with what a preset changes of it."""
    if request.method == "POST":
        return request.POST
    if "show" in request.GET:
        return request.GET
    game = _game_asked(request)
    preset = PRESETS.get(request.GET.get("preset", ""))
    data = QueryDict(mutable=True)
    data.update(NewTableForm(game=game, purses=purses).usual())
    if preset is not None:
        data.update({name: str(value) for name, value in preset.choices().items() if value is not False})
    return data


def _game_asked(request: HttpRequest) -> str:
    asked = request.POST if request.method == "POST" else request.GET
    preset = PRESETS.get(asked.get("preset", ""))
    return preset.game if preset is not None else game_named(asked.get("game"))


def _open(request: HttpRequest, form: NewTableForm) -> Table | None:
    """Open the table that the form describes; a refusal becomes an error of the form."""
    if form.cleaned_data["rated"] and not (isinstance(request.user, User) and not request.user.is_guest):
        form.add_error("rated", message_for("guests_not_rated"))
        return None
    person = person_of(request)
    try:
        return services.open_table(
            game=form.game_name,
            options=form.options(),
            clock=form.cleaned_data["clock"],
            members={1: person},
            bots=form.bots_by_seat(),
            opened_by=person,
            seats=form.cleaned_data["seats"],
            terms=form.terms(),
            listed=form.cleaned_data["listed"],
            rated=form.cleaned_data["rated"],
            club=club_of(request),
        )
    except TableRefusal as refusal:
        form.add_error(None, explained(refusal))
        return None


def _home(request: HttpRequest, form: PlayNowForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "games": game_cards(), "my_tables": _tables_of(request)}
    return render(request, "games/home.html", context, status=status)


def _tables_of(request: HttpRequest) -> list[Table]:
    return selectors.tables_of(request.user.pk) if request.user.is_authenticated else []

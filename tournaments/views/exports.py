"""An event as files: everything as JSON, each list as a sheet; sent piece by piece, so that none is ever in memory."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from ledger.services.spreadsheets import csv_text
from tournaments.models import Tournament
from tournaments.selectors.exports import PARTS, event_row
from tournaments.selectors.sheets import SHEETS, sheet_lines
from tournaments.views.asking import of_event, organises, page

FORMAT = 1
"""The version of the JSON's shape; it rises when a key changes its meaning or goes away."""

LINES = 400
"""Lines that are sent at a time."""

TITLES = {
    "entries": _l("Players"),
    "draws": _l("Draws with their certificates"),
    "tables": _l("Tables and seats"),
    "results": _l("Results in all versions"),
    "standings": _l("Standings"),
    "dealers": _l("Ledger of dealers"),
    "prizes": _l("Prizes"),
}


@require_safe
@of_event
def files(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The files that there are of an event."""
    sheets = [(name, TITLES[name]) for name in SHEETS]
    return page(request, "tournaments/exports.html", tournament, {"sheets": sheets, "poll": ""})


@require_safe
@of_event
def export_json(request: HttpRequest, tournament: Tournament) -> StreamingHttpResponse:
    """Everything that the visitor may know of the event, as JSON."""
    lines = json_lines(tournament, everything=organises(request))
    return _file(lines, tournament, "event", "json", "application/json")


@require_safe
@of_event
def export_sheet(request: HttpRequest, tournament: Tournament, what: str) -> StreamingHttpResponse:
    """One list of the event for a spreadsheet."""
    if what not in SHEETS:
        raise Http404
    lines = sheet_lines(tournament, what, everything=organises(request))
    return _file((csv_text([line]) for line in lines), tournament, what, "csv", "text/csv; charset=utf-8")


def json_lines(tournament: Tournament, *, everything: bool) -> Iterator[str]:
    """Yield the JSON of an event a row a line. It ends with the version that the event then had: if that differs, read again."""
    yield f'{{"format": {FORMAT}, "version": {tournament.version}, "everything": {json.dumps(everything)},\n'
    yield f'"event": {json.dumps(event_row(tournament), ensure_ascii=False)}'
    for name, rows in PARTS.items():
        yield f',\n"{name}": ['
        for n, row in enumerate(rows(tournament, everything)):
            yield f"{',' if n else ''}\n{json.dumps(row, ensure_ascii=False)}"
        yield "]"
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    yield f',\n"version_at_end": {version}}}\n'


def _file(
    lines: Iterator[str], tournament: Tournament, what: str, ending: str, kind: str
) -> StreamingHttpResponse:
    response = StreamingHttpResponse(_pieces(lines), content_type=kind)
    name = f"{slugify(tournament.name) or tournament.pk}-{what}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


async def _pieces(lines: Iterator[str]) -> AsyncIterator[str]:
    """Yield lines some hundreds at a time; the database is read outside the event loop."""
    while piece := await sync_to_async(_piece)(lines):
        yield piece


def _piece(lines: Iterator[str]) -> str:
    return "".join(islice(lines, LINES))

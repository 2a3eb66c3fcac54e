"""The fair deal of a table: what was promised, what was shown since, and the data with which a browser checks it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games import selectors
from games.models import Deal, Seat, Table
from games.rules.proof import dump_proof
from games.views.addresses import whole
from games.views.seen import seen

PROOFS_A_PAGE = 100
"""Proofs in one answer; a browser asks for the next ones by itself."""


@require_safe
def fair_deal(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """The commitment, and seed, nonces and lot of every deal that is over."""
    row = get_object_or_404(Table.objects.defer("match"), pk=table_id)
    table, until = seen(request, row)
    seats = selectors.seats_at(table)
    deals = list(selectors.over(table_id, until).defer("deck", "match_after"))
    seeds = selectors.seeds_of(table, [deal.number for deal in deals])
    draws = selectors.first_draws(deals)
    you = next((s.number for s in seats if s.user_id and s.user_id == request.user.pk), None)
    context = {
        "table": table,
        "rows": [_row(deal, seeds[deal.number], draws.get(deal.pk), seats) for deal in deals],
        "running": table.deal_number if table.status == Table.Status.PLAYING else None,
        "you": you,
    }
    return render(request, "games/fair.html", context)


@gzip_page
@require_safe
def fair_proofs(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """The proofs of the ended deals from ``?from=`` on as JSON, and the address of the next ones."""
    row = get_object_or_404(Table.objects.defer("match"), pk=table_id)
    table, until = seen(request, row)
    first = max(1, whole(request.GET.get("from", "1")))
    proofs = selectors.proofs_of(table, first=first, most=PROOFS_A_PAGE, until=until)
    here = reverse("games:fair_proofs", args=[table_id])
    following = f"{here}?from={proofs[-1].deal + 1}" if len(proofs) == PROOFS_A_PAGE else None
    return JsonResponse({"proofs": [dump_proof(proof) for proof in proofs], "next": following})


def _row(deal: Deal, seed: bytes, draw: selectors.Draw | None, seats: list[Seat]) -> dict[str, Any]:
    """One deal: its nonces beside the names of the seats that they belong to."""
    names = {seat.number: seat.shown_name for seat in seats}
    nonces = zip(sorted(deal.seats), deal.nonces, strict=True)
    return {
        "number": deal.number,
        "ended_at": deal.ended_at,
        "seed": seed.hex(),
        "nonces": [{"seat": seat, "name": names[seat], "nonce": nonce} for seat, nonce in nonces],
        "drawn": names[draw.dealer] if draw else "",
    }

"""Requests for reversals: who asked, why, what it would move; and the decision of somebody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from clubs.models import User
from ledger import selectors, services
from ledger.admin.looking import LookOnly
from ledger.admin.transactions import name_plan
from ledger.errors import LedgerError, SamePerson
from ledger.models import Adjustment
from ledger.services.adjustments import planned_reversal


@admin.register(Adjustment)
class AdjustmentAdmin(LookOnly):
    """Requests, the newest first. They are made on the page of their transaction."""

    list_display = ("numbered", "state", "transaction", "reason", "asked_by", "requested_at", "decided_by")
    list_filter = ("state",)
    nothing_yet = _l(
        "Nobody has asked for a reversal. One is asked for on the page of the transaction that was wrong."
    )
    list_select_related = ("transaction",)
    ordering = ("-id",)

    def of_clubs(self, rows: QuerySet[Any], clubs: selectors.Clubs) -> QuerySet[Any]:
        """Requests about the chips of some clubs."""
        return selectors.moving_chips_of(rows, clubs, path="transaction")

    def prepare(self, rows: list[Any]) -> None:
        """Find out together who asked and who decided."""
        names = selectors.names_of(
            owner for row in rows for owner in (row.requested_by, row.approved_by, row.rejected_by)
        )
        for row in rows:
            row.asked_by = names[row.requested_by]
            row.decided_by = names.get(row.approved_by or row.rejected_by, "")

    @admin.display(description=_l("asked by"))
    def asked_by(self, row: Any) -> str:
        """Who asked."""
        return str(row.asked_by)

    @admin.display(description=_l("decided by"))
    def decided_by(self, row: Any) -> str:
        """Who approved or rejected it."""
        return str(row.decided_by)

    def get_urls(self) -> list[URLPattern]:
        """The two decisions, for forms to be sent to."""
        view = self.admin_site.admin_view
        return [
            path("<int:number>/approve/", view(self.approve), name="ledger_adjustment_approve"),
            path("<int:number>/reject/", view(self.reject), name="ledger_adjustment_reject"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """One request: what it would move or has moved, and buttons for who may decide."""
        asked: Any = self.viewed(request, object_id)
        self.prepare([asked])
        waiting = asked.state == Adjustment.State.REQUESTED
        own = waiting and asked.requested_by == _own_id(request)
        may_decide = waiting and request.user.has_perm("ledger.approve_adjustment", asked)
        context = {
            "asked": asked,
            "plan": name_plan(planned_reversal(transaction_id=asked.transaction_id)) if waiting else [],
            "own": own,
            "may_approve": may_decide and not own,
            "may_reject": may_decide or own,
            "refused": SamePerson().message if may_decide and own else "",
        }
        title = _("Request %(number)s") % {"number": asked.pk}
        return self.page(request, "admin/ledger/adjustment.html", title, **context)

    def approve(self, request: HttpRequest, number: int) -> HttpResponse:
        """Reverse what was asked for, as another person than who asked."""

        def do(by: UUID) -> None:
            services.approve_adjustment(adjustment=number, approved_by=by)

        return self._decide(request, number, do, _("Approved: the transaction is reversed."))

    def reject(self, request: HttpRequest, number: int) -> HttpResponse:
        """Turn a request down, or withdraw one's own."""

        def do(by: UUID) -> None:
            services.reject_adjustment(adjustment=number, rejected_by=by)

        return self._decide(request, number, do, _("Turned down: nothing was moved."), own=True)

    def _decide(
        self, request: HttpRequest, number: int, do: Callable[[UUID], None], done: str, *, own: bool = False
    ) -> HttpResponse:
        """Do it if the person may, or with ``own`` if the request is the person's own; then show the request."""
        assert isinstance(request.user, User)
        looks = self.has_view_permission(request)
        asked = self.get_queryset(request).filter(pk=number).first() if looks else None
        mine = asked is not None and asked.requested_by == _own_id(request)
        if not request.user.has_perm("ledger.approve_adjustment", asked) and not (own and mine):
            raise PermissionDenied
        if asked is None:
            raise Http404
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        try:
            do(services.owner_of(user=request.user))
        except LedgerError as refusal:
            messages.error(request, selectors.told(refusal))
        else:
            messages.success(request, done)
        return HttpResponseRedirect(reverse("admin:ledger_adjustment_change", args=[number]))


def _own_id(request: HttpRequest) -> UUID | None:
    """The id under which the person signs, if there is one yet."""
    assert isinstance(request.user, User)
    own = getattr(request.user, "account_owner", None)
    return own.id if own else None

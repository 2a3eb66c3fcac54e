"""Tables in the admin: to look at, and to close. Everything else about them is done at the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from clubs.admin.look_only import LookOnly
from clubs.selectors import clubs_where
from games import services
from games.errors import TableRefusal
from games.models import Deal, Seat, Table

if TYPE_CHECKING:
    TabularInline = admin.TabularInline[Seat, Table]
else:
    TabularInline = admin.TabularInline


class SeatInline(TabularInline):
    """Who sits where."""

    model = Seat
    fields = ("number", "user", "bot_name", "bot_level", "stand_in", "left", "time_outs")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: seats are taken at the table."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never, likewise."""
        return False


@admin.register(Table)
class TableAdmin(LookOnly):
    """Tables by their last change, with an action that closes them."""

    list_display = ("id", "game", "status", "stake", "asset", "opened_by", "opened_at", "changed_at")
    list_filter = ("status", "game")
    list_select_related = ("opened_by",)
    search_fields = ("=id",)
    ordering = ("-changed_at",)
    exclude = ("chain_end",)
    inlines = (SeatInline,)
    actions = ("close_tables",)

    @admin.action(
        description=_l("Close the chosen tables: settle pots, cash seats out"), permissions=["close"]
    )
    def close_tables(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        """Close each table by the same service as everywhere; a table that ended before is left as it is."""
        closed = 0
        queryset = self.of_clubs(queryset, clubs_where(request.user, "games.change_table"))
        for table_id in queryset.exclude(status=Table.Status.FINISHED).values_list("pk", flat=True):
            try:
                services.close_table(table_id=table_id)
                closed += 1
            except TableRefusal as refusal:
                messages.error(request, _("Table %(id)s: %(why)s") % {"id": table_id, "why": refusal.message})
        done = ngettext("%(count)d table was closed.", "%(count)d tables were closed.", closed)
        messages.success(request, done % {"count": closed})

    def has_close_permission(self, request: HttpRequest) -> bool:
        """Whoever may change tables may close them, although nothing else can be changed."""
        return request.user.has_perm("games.change_table")


@admin.register(Deal)
class DealAdmin(LookOnly):
    """Deals that are over; the cards of a running one are shown to nobody."""

    list_display = ("id", "table", "number", "dealer", "started_at", "ended_at")
    list_select_related = ("table",)
    search_fields = ("=table__id",)
    club_path = "table__club"
    ordering = ("-id",)
    fields = ("table", "number", "dealer", "seats", "nonces", "deck", "outcome", "started_at", "ended_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deal]:
        """Leave running deals out."""
        return super().get_queryset(request).filter(ended_at__isnull=False)

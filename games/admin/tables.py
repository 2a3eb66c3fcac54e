"""Tables in the admin: to look at, and to close. Everything else about them is done at the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from clubs.admin.look_only import LookOnly, in_words
from clubs.selectors import clubs_where
from games import selectors, services
from games.errors import TableRefusal
from games.forms import LEVELS
from games.models import Deal, Seat, Table
from games.wording import CLOCKS, in_signs, outcome_in_words, title_of

if TYPE_CHECKING:
    TabularInline = admin.TabularInline[Seat, Table]
else:
    TabularInline = admin.TabularInline


class SeatInline(TabularInline):
    """Who sits where."""

    model = Seat
    template = "admin/games/seats.html"
    fields = ("number", "who", "level", "stand_in", "left", "time_outs")
    readonly_fields = fields
    extra = 0
    can_delete = False

    @admin.display(description=_l("member"))
    def who(self, seat: Seat) -> str:
        """The member, or what the bot is called."""
        return seat.shown_name

    @admin.display(description=_l("bot's level"))
    def level(self, seat: Seat) -> str:
        """How the bot plays; a dash for people."""
        return str(LEVELS.get(seat.bot_level, seat.bot_level)) or "–"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: seats are taken at the table."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never, likewise."""
        return False


@admin.register(Table)
class TableAdmin(LookOnly):
    """Tables by their last change, with an action that closes them."""

    list_display = ("named", "status", "played", "stakes", "opened_by", "opened_at", "changed_at")
    list_filter = ("status", ("game", in_words(title_of)))
    list_select_related = ("opened_by", "club")
    search_fields = ("=id",)
    search_help_text = _l("The whole number of the table, as in its address.")
    ordering = ("-changed_at",)
    fields = (
        *("page", "club", "status", "options_line", "pace", "listed", "rated", "played", "stakes", "buy_in"),
        *("opened_by", "opened_at", "changed_at", "finished_at", "watch_delay", "chain_length", "commitment"),
    )
    nothing_yet = _l("No table has been opened yet.")
    inlines = (SeatInline,)
    actions = ("close_tables",)

    @admin.display(description=_l("table"), ordering="game")
    def named(self, table: Table) -> str:
        """The game, and the beginning of the number."""
        return str(table)

    @admin.display(description=_l("page"))
    def page(self, table: Table) -> str:
        """The way to the table."""
        address = reverse("games:table", args=[table.pk])
        return format_html('<a href="{}">{}</a>', address, _("To the table"))

    @admin.display(description=_l("options"))
    def options_line(self, table: Table) -> str:
        """What sets it apart, in words."""
        return table.options_line

    @admin.display(description=_l("clock"))
    def pace(self, table: Table) -> str:
        """How fast it is played."""
        return str(CLOCKS[table.clock])

    @admin.display(description=_l("deals"), ordering="deal_number")
    def played(self, table: Table) -> int:
        """Deals begun."""
        return table.deal_number

    @admin.display(description=_l("stake"), ordering="stake")
    def stakes(self, table: Table) -> str:
        """Chips per stake; nothing where none are played for."""
        return _told(table.stake, table.asset) if table.stake else "–"

    @admin.display(description=_l("buy-in"))
    def buy_in(self, table: Table) -> str:
        """From and to how many chips."""
        if not table.stake:
            return "–"
        least, most = _told(table.buy_in_min, ""), _told(table.buy_in_max, table.asset)
        return _("%(least)s to %(most)s") % {"least": least, "most": most}

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

    list_display = ("ended_at", "table", "number", "dealer_named", "started_at")
    list_select_related = ("table",)
    search_fields = ("=table__id",)
    search_help_text = _l("The whole number of the table, as in its address.")
    club_path = "table__club"
    ordering = ("-id",)
    fields = (
        *("replay", "table", "number", "dealt", "dealer_named", "told_outcome"),
        *("cards", "numbers", "started_at", "ended_at"),
    )
    nothing_yet = _l("No deal has been played to its end yet.")

    @admin.display(description=_l("page"))
    def replay(self, deal: Deal) -> str:
        """The way to the deal move by move."""
        address = reverse("games:deal", args=[deal.table_id, deal.number])
        return format_html('<a href="{}">{}</a>', address, _("Look at the deal move by move"))

    @admin.display(description=_l("dealt in, to the left"))
    def dealt(self, deal: Deal) -> str:
        """Who played, in the order of the seats."""
        names = selectors.names_at(deal.table)
        return ", ".join(names[seat] for seat in deal.seats)

    @admin.display(description=_l("dealer"))
    def dealer_named(self, deal: Deal) -> str:
        """Who dealt, and where they sat."""
        seat = next(seat for seat in deal.table.seats.all() if seat.number == deal.dealer)
        return f"{seat.shown_name}, {_('seat')} {seat.number}"

    @admin.display(description=_l("outcome"))
    def told_outcome(self, deal: Deal) -> str:
        """How it ended, in words."""
        assert deal.outcome is not None, "a deal that is over has an outcome"
        names = selectors.names_at(deal.table)
        return " ".join(outcome_in_words(deal.table.game, deal.outcome, dealer=deal.dealer, names=names))

    @admin.display(description=_l("deck, top first"))
    def cards(self, deal: Deal) -> str:
        """The cards as signs."""
        return in_signs(" ".join(deal.deck))

    @admin.display(description=_l("numbers for the shuffle, in seat order"))
    def numbers(self, deal: Deal) -> str:
        """What each seat added to the shuffle."""
        return ", ".join(deal.nonces)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deal]:
        """Leave running deals out; who sat at their tables is looked up for all at once."""
        ended = super().get_queryset(request).filter(ended_at__isnull=False)
        return ended.prefetch_related("table__seats__user")


def _told(chips: int, asset: str) -> str:
    """An amount with its thousands apart, and what is counted."""
    return f"{number_format(chips, force_grouping=True)} {asset}".strip()

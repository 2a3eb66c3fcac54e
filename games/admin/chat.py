"""Reports, silences and what organisers did, in the admin. Everything is done by the services of the pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from clubs.admin.look_only import LookOnly
from clubs.models import User
from games import selectors, services
from games.errors import TableRefusal
from games.models import OrganiserAct, Report, Silence
from games.models.chat import NOTE_CHARACTERS
from games.services.organising import DURATIONS, RIGHT

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def _moment(at: dt.datetime) -> str:
    """A moment as people of the active language write it."""
    return str(date_format(localtime(at), "SHORT_DATETIME_FORMAT"))


class ReasonForm(ActionForm):
    """Why something is done: kept with the act."""

    why = forms.CharField(label=_l("Why"), max_length=NOTE_CHARACTERS, required=False)


class WhyForm(ReasonForm):
    """Likewise, with a duration that counts for silences only."""

    hours = forms.TypedChoiceField(
        label=_l("For how long, when somebody is silenced"),
        coerce=int,
        choices=list(DURATIONS.items()),
        initial=24,
        required=False,
    )


class OrganisersOnly(LookOnly):
    """Pages for those who may handle reports, and for nobody else of the staff."""

    def looking_right(self) -> str:
        """Handling reports shows them."""
        return RIGHT

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whoever may handle reports."""
        return request.user.has_perm(RIGHT)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Likewise."""
        return request.user.has_perm(RIGHT)

    def has_handle_permission(self, request: HttpRequest) -> bool:
        """Likewise, for the actions."""
        return request.user.has_perm(RIGHT)

    def act_on_each(self, request: HttpRequest, rows: QuerySet[Any], act: Callable[[User, int], Any]) -> None:
        """Do something with each row by a service, and say how often it was done and why it was refused."""
        assert isinstance(request.user, User)
        done = 0
        for pk in rows.values_list("pk", flat=True):
            try:
                act(request.user, pk)
                done += 1
            except TableRefusal as refusal:
                messages.error(
                    request, _("Number %(number)d: %(why)s") % {"number": pk, "why": refusal.message}
                )
        if done:
            words = ngettext("%(count)d was handled.", "%(count)d were handled.", done)
            messages.success(request, words % {"count": done})


@admin.register(Report)
class ReportAdmin(OrganisersOnly):
    """Reports with their evidence: dismiss them, or silence whom they are about."""

    list_display = (
        "numbered",
        "at",
        "reason",
        "reported",
        "reporter",
        "table",
        "state",
        "decision",
        "handled_by",
    )
    list_filter = ("state", "reason")
    search_fields = ("=id", "=table__id", "reported__username")
    search_help_text = _l(
        "The number of a report, the whole number of a table, or the user name of who it is about."
    )
    nothing_yet = _l("Nobody has reported anything.")
    fields = (
        "at",
        "reason",
        "reported",
        "reporter",
        "table",
        "deal_number",
        "note",
        "written",
        "state",
        "decision",
        "decision_note",
        "handled_by",
        "handled_at",
    )
    readonly_fields = ("written",)
    action_form = WhyForm
    actions = ("dismiss", "silence_at_table", "silence_everywhere", "hide_lines")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Return the reports that this organiser may see."""
        assert isinstance(request.user, User)
        return selectors.reports_for(request.user)

    @admin.display(description=_l("What was written"))
    def written(self, report: Report) -> SafeString | _StrPromise:
        """The copied lines, as text only."""
        lines = (
            (f"{_moment(line.at)}, {line.room}, {line.name or _('erased member')}: {line.words}",)
            for line in selectors.evidence_of(report)
        )
        return format_html_join("", "<p>{}</p>", lines)

    @admin.action(description=_l("Dismiss the chosen reports"), permissions=["handle"])
    def dismiss(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        """Handle reports without doing anything about the person."""
        why = request.POST.get("why", "")
        self.act_on_each(
            request,
            queryset,
            lambda organiser, pk: services.dismiss_report(organiser=organiser, report_id=pk, why=why),
        )

    @admin.action(description=_l("Silence at the table, for the time chosen"), permissions=["handle"])
    def silence_at_table(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        """Silence the person of each report at its table."""
        self._silence(request, queryset, everywhere=False)

    @admin.action(description=_l("Silence everywhere, for the time chosen"), permissions=["handle"])
    def silence_everywhere(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        """Silence the person of each report at all tables."""
        self._silence(request, queryset, everywhere=True)

    @admin.action(description=_l("Hide the reported lines"), permissions=["handle"])
    def hide_lines(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        """Take the reported lines out of the chat."""
        why = request.POST.get("why", "")
        self.act_on_each(
            request,
            queryset,
            lambda organiser, pk: services.hide_reported_lines(organiser=organiser, report_id=pk, why=why),
        )

    def _silence(self, request: HttpRequest, queryset: QuerySet[Report], *, everywhere: bool) -> None:
        why, hours = request.POST.get("why", ""), request.POST.get("hours", "")
        self.act_on_each(
            request,
            queryset,
            lambda organiser, pk: services.silence(
                organiser=organiser,
                report_id=pk,
                hours=int(hours) if hours.isdecimal() else 0,
                why=why,
                everywhere=everywhere,
            ),
        )


@admin.register(Silence)
class SilenceAdmin(OrganisersOnly):
    """Who may not write, where, until when and why."""

    list_display = ("numbered", "user", "table", "until", "by", "why", "lifted_at")
    list_select_related = ("user", "table", "by")
    fields = ("user", "club", "table", "at", "until", "by", "why", "lifted_at")
    search_fields = ("user__username",)
    search_help_text = _l("A member’s user name, or a part of it.")
    nothing_yet = _l("Nobody is silenced, and nobody was.")
    ordering = ("-until",)
    action_form = ReasonForm
    actions = ("lift",)

    @admin.action(description=_l("Let the chosen people write again"), permissions=["handle"])
    def lift(self, request: HttpRequest, queryset: QuerySet[Silence]) -> None:
        """Lift each chosen silence."""
        why = request.POST.get("why", "")
        self.act_on_each(
            request,
            queryset,
            lambda organiser, pk: services.lift_silence(organiser=organiser, silence_id=pk, why=why),
        )


@admin.register(OrganiserAct)
class OrganiserActAdmin(OrganisersOnly):
    """Who did what when and why."""

    list_display = ("at", "kind", "by", "person", "table", "report", "why")
    list_select_related = ("by", "person", "table", "report")
    list_filter = ("kind",)
    nothing_yet = _l("No organiser has had to do anything.")

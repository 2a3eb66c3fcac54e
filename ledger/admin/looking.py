"""What all pages of the audit desk share: nobody changes anything, nothing counts a large table, names come in bulk."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import connection
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse

from clubs.admin.look_only import LookOnly as Rows
from ledger import selectors

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    BasePaginator = Paginator[Any]
else:
    ModelAdmin = admin.ModelAdmin
    BasePaginator = Paginator

MOST = 2_000
"""Rows that a list leads through at most; to what is older lead the filters."""


class BoundedPaginator(BasePaginator):
    """Counts no further than ``MOST``; ``about`` is the planner's idea of the whole table."""

    @cached_property
    def counted(self) -> int:
        """Rows up to ``MOST + 1``."""
        rows: Any = self.object_list
        return int(rows.order_by()[: MOST + 1].count())

    @cached_property
    def count(self) -> int:
        """Rows that can be paged through."""
        return min(self.counted, MOST)

    @property
    def more(self) -> bool:
        """Whether there are rows that cannot be paged to."""
        return self.counted > MOST

    @cached_property
    def about(self) -> int:
        """About how many rows the table has, without counting them."""
        rows: Any = self.object_list
        table = rows.model._meta.db_table
        with connection.cursor() as cursor:
            cursor.execute("SELECT reltuples::bigint FROM pg_class WHERE oid = %s::regclass", [table])
            return max(0, int(cursor.fetchone()[0]))


class PreparedChangeList(ChangeList):
    """A list whose admin looks up what all rows of a page need together, in ``prepare``."""

    def get_results(self, request: HttpRequest) -> None:
        """Read the page, then let the admin add to its rows."""
        super().get_results(request)
        self.result_list = list(self.result_list)
        admin_of_rows: Any = self.model_admin
        admin_of_rows.prepare(self.result_list)


class FormFilter(admin.ListFilter):
    """A form beside a list instead of columns of links. ``form_class`` has a method ``narrow(queryset)``."""

    title = ""
    template = "admin/ledger/form_filter.html"
    form_class: type[forms.Form]

    def __init__(
        self, request: HttpRequest, params: dict[str, Any], model: type[Model], model_admin: Any
    ) -> None:
        super().__init__(request, params, model, model_admin)
        for name in self.form_class.base_fields:
            params.pop(name, None)
        self.form = self.form_class(request.GET)
        # The chips of other clubs are not even named, and their people not counted.
        clubs = selectors.readable_clubs(request.user)
        if "asset" in self.form.fields:
            self.form.fields["asset"].queryset = selectors.assets_of(clubs)  # type: ignore[attr-defined]
        if "member" in self.form.fields:
            self.form.fields["member"].clubs = clubs  # type: ignore[attr-defined]
        self.searched = request.GET.get(SEARCH_VAR, "")

    def expected_parameters(self) -> list[str | None]:
        """The names of the form's fields."""
        return list(self.form_class.base_fields)

    def has_output(self) -> bool:
        """Always: a form can be filled in even when there are no rows."""
        return True

    def choices(self, changelist: Any) -> Iterator[dict[str, Any]]:
        """None: the template shows the form."""
        return iter(())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows that fit; a field that was filled in wrongly chooses none, and the form says why."""
        narrowed: QuerySet[Any] = self.form.narrow(queryset) if self.form.is_valid() else queryset.none()  # type: ignore[attr-defined]
        return narrowed


def filtered_by(form: type[forms.Form]) -> type[FormFilter]:
    """The list filter that shows ``form``."""
    return type(f"{form.__name__}ListFilter", (FormFilter,), {"form_class": form})


class LookOnly(Rows):
    """Nobody adds, changes or deletes here, superusers included: a mistake is put right by a reversal."""

    paginator = BoundedPaginator
    list_max_show_all = 0
    sortable_by = ()
    actions = ()

    club_path = ""
    """How the club is found from a row; empty for what belongs to the whole site, or is restricted otherwise."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows of the clubs where the person may look."""
        rows: QuerySet[Any] = ModelAdmin.get_queryset(self, request)
        clubs = selectors.readable_clubs(request.user)
        return rows if clubs is None else self.of_clubs(rows, clubs)

    def of_clubs(self, rows: QuerySet[Any], clubs: selectors.Clubs) -> QuerySet[Any]:
        """The rows of some clubs."""
        return rows.filter(**{f"{self.club_path}__in": clubs}) if self.club_path else rows

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Lists whose rows are prepared together."""
        return PreparedChangeList

    def prepare(self, rows: list[Any]) -> None:
        """Add to the rows of a page what their columns need."""

    def viewed(self, request: HttpRequest, object_id: str) -> Any:
        """The row that a page is about. Raises 403 for who may not look or wants to write, 404 when there is none."""
        found = self.get_object(request, object_id)
        if not self.has_view_permission(request, found) or request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        if found is None:
            raise Http404
        return found

    def page(self, request: HttpRequest, template: str, title: Any, **context: Any) -> TemplateResponse:
        """A page of the desk inside the admin's frame."""
        frame = self.admin_site.each_context(request)
        return TemplateResponse(
            request, template, {**frame, "title": title, "opts": self.opts, "media": self.media, **context}
        )

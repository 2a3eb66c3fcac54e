"""Pages of the admin on which nothing is changed by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _l

from clubs.selectors import clubs_where

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    ModelAdmin = admin.ModelAdmin[Any]
    ValuesFilter = admin.AllValuesFieldListFilter
else:
    ModelAdmin = admin.ModelAdmin
    ValuesFilter = admin.AllValuesFieldListFilter


class LookOnly(ModelAdmin):
    """Nobody adds, changes or deletes here, superusers included: the log is the truth."""

    show_full_result_count = False
    list_per_page = 50
    club_path = "club"
    """How the club is found from a row."""
    lead: str | _StrPromise = ""
    """What stands above the list: what it is for."""
    nothing_yet: str | _StrPromise = ""
    """What an empty list says: where its rows come from."""

    @admin.display(description=_l("number"), ordering="pk")
    def numbered(self, row: Any) -> str:
        """The number under which a row is spoken of."""
        return str(row.pk)

    def heading(self, row: Any) -> str:
        """What a row's page is called."""
        return str(row)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show a row under its own name."""
        named = {"heading": self.heading(context["original"])}
        answer: HttpResponse = super().render_change_form(request, context | named, *args, **kwargs)
        return answer

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of the clubs where the person may look."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return self.of_clubs(rows, clubs_where(request.user, self.looking_right()))

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return a row; what is not there, or is another club's, is 404 and not a way back to the front page."""
        found = super().get_object(request, object_id, from_field)
        if found is None and self.has_view_permission(request):
            raise Http404
        return found

    def looking_right(self) -> str:
        """The right that lets a person look at these rows."""
        return f"{self.opts.app_label}.view_{self.opts.model_name}"

    def of_clubs(self, rows: QuerySet[Any], clubs: frozenset[int] | None) -> QuerySet[Any]:
        """Return the rows of some clubs, all of them for ``None``."""
        return rows if clubs is None else rows.filter(**{f"{self.club_path}__in": clubs})

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: the pages and their services make what there is."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: what happened stays as it was."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: stakes and proofs refer to it."""
        return False


def in_words(words: Callable[[str], str]) -> type[ValuesFilter]:
    """The list filter of a column that holds codes, each called what ``words`` says."""

    class Told(ValuesFilter):
        def choices(self, changelist: ChangeList) -> Iterator[Any]:
            codes = set(self.lookup_choices)
            for choice in super().choices(changelist):
                code = choice["display"]
                yield {**choice, "display": words(str(code)) if code in codes else code}

    return Told

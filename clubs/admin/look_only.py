"""Pages of the admin on which nothing is changed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from clubs.selectors import clubs_where

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class LookOnly(ModelAdmin):
    """Nobody adds, changes or deletes here, superusers included: the log is the truth."""

    show_full_result_count = False
    list_per_page = 50
    club_path = "club"
    """How the club is found from a row."""

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

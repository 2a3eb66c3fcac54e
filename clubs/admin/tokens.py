"""Tokens of the API in the admin: a keeper sees whose they are and revokes them; nobody reads or makes one here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubs.errors.tokens import TokenRefusal
from clubs.models import ApiToken
from clubs.services import revoke_token


class RevokedFilter(admin.SimpleListFilter):
    """Whether a token was taken out of use."""

    title = _("revoked")
    parameter_name = "revoked"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Yes and no."""
        return [("yes", _("yes")), ("no", _("no"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> QuerySet[ApiToken]:
        """The tokens with such an answer."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(revoked_at__isnull=self.value() == "no")


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """All tokens of all people."""

    list_display = (
        "name",
        "user",
        "prefix",
        "told_scopes",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    )
    fields = ("user", *(name for name in list_display if name != "user"))
    readonly_fields = list_display
    list_filter = (RevokedFilter,)
    list_select_related = ("user",)
    search_fields = ("name", "prefix", "user__username", "user__display_name")
    search_help_text = _("The token’s name, its beginning, or its owner’s name.")
    actions = ("revoke",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People make their tokens themselves."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A token that was revoked stays, so that it can be told whose it was."""
        return False

    @admin.display(description=_("scopes"))
    def told_scopes(self, token: ApiToken) -> str:
        """What it may be used for, in words."""
        return "; ".join(token.scope_titles)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Offer no saving: nothing of a token is changed but by revoking it, in the list."""
        nothing_to_save = {"show_save": False, "show_save_and_continue": False, "show_close": True}
        answer: HttpResponse = super().render_change_form(request, context | nothing_to_save, *args, **kwargs)
        return answer

    @admin.action(description=_("Revoke"), permissions=["change"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiToken]) -> None:
        """Revoke the chosen tokens; those that are revoked already stay so."""
        count = 0
        for token in chosen:
            try:
                revoke_token(token_id=token.pk)
            except TokenRefusal:
                continue
            count += 1
        said = ngettext("%(count)d token was revoked.", "%(count)d tokens were revoked.", count)
        messages.success(request, said % {"count": count})

"""Tokens of the API in the admin: a keeper sees whose they are and revokes them; nobody reads or makes one here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubs.errors.tokens import TokenRefusal
from clubs.models import ApiToken
from clubs.services import revoke_token


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """All tokens of all people."""

    list_display = (
        "name",
        "user",
        "prefix",
        "scopes",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    )
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("name", "prefix", "user__username", "user__display_name")
    actions = ("revoke",)
    exclude = ("secret_hash",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People make their tokens themselves."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A token that was revoked stays, so that it can be told whose it was."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Nothing of a token is changed but by revoking it."""
        return [field.name for field in ApiToken._meta.fields if field.name != "secret_hash"]

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

"""Tokens with which a person's programs use the site's API."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """What a token may be used for. A scope gives no right: the person must have it as well."""

    READ = "read", _("read: tables, history, events, your own chips")
    PLAY = "play", _("play: take seats and move, enter events")
    ORGANISE = "organise", _("organise: events of clubs where you are an organiser")
    AUDIT = "audit", _("audit: the book of clubs where you may read it")


class ApiToken(models.Model):
    """One token of one person. Its secret is shown once and kept as a hash; ``prefix`` is the part that names it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens", verbose_name=_("person")
    )
    name = models.CharField(_("name"), max_length=60)
    prefix = models.CharField(_("beginning of the token"), max_length=12, unique=True)
    secret_hash = models.BinaryField(_("hash of the token"), max_length=32)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope.choices), verbose_name=_("scopes"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    expires_at = models.DateTimeField(_("valid until"))
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("token of the API")
        verbose_name_plural = _("tokens of the API")
        ordering = ["-created_at", "-pk"]
        default_permissions = ("view", "change")
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="token_has_name"),
            models.CheckConstraint(
                condition=Q(scopes__contained_by=Scope.values, scopes__len__gt=0), name="token_scopes_known"
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="token_ends_later"),
        ]
        indexes = [models.Index(fields=["user", "-created_at"], name="token_of_user")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def scope_titles(self) -> list[str]:
        """The scopes in words of the active language."""
        return [str(Scope(scope).label) for scope in self.scopes]

    @property
    def session(self) -> str:
        """What stands for a session's key where streams are closed that were opened with this token."""
        return f"token:{self.prefix}"

"""People of the site. "Account" is a word of the ledger; here it is a user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.rules.names import key_of


class User(AbstractUser):
    """A person who may sit at a table; a guest is a user who never chose a password.

    ``name_key`` is what the shown name has in common with names that look like
    it: no two members have the same. An erased person stays as a row without a
    name, so that what others remember of it (seats, results) still fits together.
    """

    class SeenBy(models.TextChoices):
        EVERYBODY = "everybody", _("everybody")
        CLUB = "club", _("members of my clubs")
        NOBODY = "nobody", _("nobody but me")

    display_name = models.CharField(_("name shown at tables"), max_length=40, blank=True)
    name_key = models.CharField(_("name as compared"), max_length=200, blank=True, editable=False)
    is_guest = models.BooleanField(_("guest"), default=False)
    language = models.CharField(_("language"), max_length=8, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    is_bot = models.BooleanField(_("a program plays with this account"), default=False)
    seen_by = models.CharField(
        _("who may see the profile and the games played"),
        max_length=9,
        choices=SeenBy.choices,
        default=SeenBy.CLUB,
    )
    on_leaderboards = models.BooleanField(_("appears on leaderboards"), default=True)
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True, editable=False)
    # Django's own two, in words that a keeper need not look up.
    is_staff = models.BooleanField(
        _("may enter the desk"),
        default=False,
        help_text=_("Opens these pages; what is seen and done on them is decided by the groups."),
    )
    is_superuser = models.BooleanField(
        _("has every right"),
        default=False,
        help_text=_("Keeps the site: may do everything, at every club, without a group."),
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(fields=["name_key"], condition=~Q(name_key=""), name="user_name_once"),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True)
                | Q(is_active=False, is_staff=False, is_superuser=False)
                & Q(display_name="", email="", name_key="", first_name="", last_name=""),
                name="user_erased_has_no_name",
            ),
        ]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name that other players see."""
        if self.erased_at is not None:
            return gettext("erased member")
        return self.display_name or self.username

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        """Save, keeping ``name_key`` in step with the name."""
        if update_fields is None or {"display_name", "username", "is_guest"} & set(update_fields):
            self.name_key = self._key()
            update_fields = update_fields and {*update_fields, "name_key"}
        super().save(*args, update_fields=update_fields, **more)

    def _key(self) -> str:
        """The key of the name now; a name that was doubled before keys were kept has its number behind a sign."""
        if self.is_guest or self.erased_at is not None:
            return ""
        key = key_of(self.shown_name)
        return self.name_key if self.name_key.split("#")[0] == key else key

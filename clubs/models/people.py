"""People of the site. "Account" is a word of the ledger; here it is a user."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who may sit at a table; a guest is a user who never chose a password."""

    display_name = models.CharField(_("name shown at tables"), max_length=40, blank=True)
    is_guest = models.BooleanField(_("guest"), default=False)
    language = models.CharField(_("language"), max_length=8, blank=True)

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name that other players see."""
        return self.display_name or self.username

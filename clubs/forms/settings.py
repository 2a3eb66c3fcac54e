"""What a person changes about themselves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from clubs.errors import PersonRefusal
from clubs.models import User
from clubs.rules.zones import TIME_ZONES
from clubs.services import check_name
from clubs.services.naming import save_named


def _time_zones() -> list[tuple[str, str]]:
    site = _("%(zone)s, as the site") % {"zone": settings.TIME_ZONE}
    return [("", site), *((zone, zone.replace("_", " ")) for zone in sorted(TIME_ZONES))]


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """Name, language, and who may see what."""

    language = forms.ChoiceField(
        label=_("Language"),
        choices=settings.LANGUAGES,
        help_text=_("Of mails, and of the pages on every device on which you sign in."),
    )

    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=_time_zones,
        required=False,
        help_text=_("Of the times on pages and in mails."),
    )

    class Meta:
        model = User
        fields = ("display_name", "language", "time_zone", "seen_by", "on_leaderboards")
        labels = {
            "display_name": _("Your name"),
            "seen_by": _("Your profile and the games you played are seen by"),
            "on_leaderboards": _("Show me on leaderboards"),
        }
        help_texts = {"display_name": _("Everybody at a table reads it.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["display_name"].required = True
        if not self.initial.get("display_name"):
            self.initial["display_name"] = self.instance.username
        if not self.initial.get("language"):
            self.initial["language"] = get_language()

    def clean_display_name(self) -> str:
        """Refuse a name that is not allowed, or looks like somebody else's."""
        try:
            return check_name(name=self.cleaned_data["display_name"], of=self.instance)
        except PersonRefusal as refusal:
            raise forms.ValidationError(refusal.message, code=refusal.code) from refusal

    def save(self, commit: bool = True) -> User:
        """Keep the settings."""
        save_named(self.instance, "language", "time_zone", "seen_by", "on_leaderboards")
        user: User = self.instance
        return user


class EraseForm(forms.Form):
    """The confirmation that an account is to be erased for ever."""

    username = forms.CharField(label=_("Your user name"), max_length=150)
    gives_chips = forms.BooleanField(
        label=_("I give the chips that I still have to the club"), required=False
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["username"].help_text = _("Write “%(name)s” to confirm.") % {"name": user.username}
        self.fields["username"].widget.attrs["autocomplete"] = "off"

    def clean_username(self) -> str:
        """Refuse anything but the person's own user name."""
        if self.cleaned_data["username"].strip() != self.user.username:
            raise forms.ValidationError(
                PersonRefusal("wrong_confirmation").message, code="wrong_confirmation"
            )
        return self.user.username

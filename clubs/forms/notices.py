"""The form in which a person chooses of what to be told, and how."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import NoticeSettings
from clubs.selectors.kinds import Kind


class NoticesForm(forms.Form):
    """When mails come, and for each of ``kinds`` whether it is told on the site and by mail."""

    mails = forms.ChoiceField(label=_("E-mails come"), choices=NoticeSettings.Mails.choices)
    site = forms.MultipleChoiceField(required=False)
    mail = forms.MultipleChoiceField(required=False)

    def __init__(self, *args: Any, kinds: list[Kind], wishes: NoticeSettings, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kinds, self.wishes = kinds, wishes
        self.initial["mails"] = wishes.mails
        for name in ("site", "mail"):
            self.fields[name].choices = [(kind.code, kind.title) for kind in kinds]  # type: ignore[attr-defined]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each kind: whether the site and mails tell of it as it is kept now."""
        return [
            {
                "kind": kind,
                "site": kind.code not in self.wishes.quiet_site,
                "mail": kind.code not in self.wishes.quiet_mail,
            }
            for kind in self.kinds
        ]

    def choice(self) -> dict[str, Any]:
        """Return what ``choose_notices`` takes; kinds that the form does not show stay as they were."""
        shown = {kind.code for kind in self.kinds}
        data = self.cleaned_data
        return {
            "mails": data["mails"],
            "quiet_site": (set(self.wishes.quiet_site) - shown) | (shown - set(data["site"])),
            "quiet_mail": (set(self.wishes.quiet_mail) - shown) | (shown - set(data["mail"])),
        }

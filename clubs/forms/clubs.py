"""What is typed about clubs: their terms, invitations, requests."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from clubs.errors.clubs import MESSAGES
from clubs.models import OFFICES, Club, Role
from clubs.services.invitations import LONGEST_DAYS, MOST_USES


def _languages() -> list[tuple[str, Any]]:
    return [("", _("each person’s own")), *settings.LANGUAGES]


class ClubForm(forms.Form):
    """A club's name and address, what it tells of itself, and how open it is."""

    name = forms.CharField(label=_("Name"), max_length=60)
    slug = forms.SlugField(
        label=_("Address on the web"),
        max_length=40,
        error_messages={"invalid": _(MESSAGES["bad_slug"])},
        help_text=_("Small letters, digits and hyphens: the end of the address of the club’s page."),
    )
    description = forms.CharField(
        label=_("What others read of the club"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    language = forms.ChoiceField(label=_("Language"), choices=_languages, required=False)
    joining = forms.ChoiceField(label=_("How it is joined"), choices=Club.Joining.choices)
    listed = forms.BooleanField(label=_("Others may see its page and its events"), required=False)
    welcomes_guests = forms.BooleanField(label=_("Others may play and watch at its tables"), required=False)

    @classmethod
    def of(cls, club: Club, data: Any = None) -> ClubForm:
        """Return the form of a club, filled in with what it is now."""
        initial = {name: getattr(club, name) for name in cls.base_fields}
        return cls(data, initial=initial)


class NewClubForm(ClubForm):
    """One more club on the site; whoever makes it is its owner."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"joining": Club.Joining.REQUEST})
        super().__init__(*args, **kwargs)


class InvitationForm(forms.Form):
    """For whom an invitation is, how often it can be used and until when. Offices only where the person may give them."""

    role = forms.ChoiceField(label=_("Invited as"), initial=Role.MEMBER)
    uses = forms.IntegerField(label=_("For how many people"), min_value=1, max_value=MOST_USES, initial=1)
    days = forms.IntegerField(label=_("For how many days"), min_value=1, max_value=LONGEST_DAYS, initial=7)

    def __init__(self, *args: Any, offices: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = [role for role in OFFICES if role != Role.OWNER] if offices else []
        self.fields["role"].choices = [(role.value, role.label) for role in (Role.MEMBER, *given)]  # type: ignore[attr-defined]


class JoinForm(forms.Form):
    """What somebody who asks to join wants to say."""

    message = forms.CharField(
        label=_("Who you are, if they do not know you"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

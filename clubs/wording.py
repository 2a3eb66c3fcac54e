"""What was done in a club, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import Permission
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as N_
from django.utils.translation import ngettext, ngettext_lazy

ROLE_NAMES: Mapping[str, str] = {
    "owner": N_("owner"),
    "organiser": N_("organiser"),
    "treasurer": N_("treasurer"),
    "approver": N_("approver"),
    "auditor": N_("auditor"),
    "member": N_("member"),
}

GROUP_NAMES: Mapping[str, str] = {
    "viewer": N_("viewer of the book"),
    **{role: ROLE_NAMES[role] for role in ("organiser", "treasurer", "approver", "auditor")},
}
"""Django's groups with which the site is made: their rights hold at every club."""

ACTIONS: Mapping[str, str] = {
    "view": N_("May look at: %(what)s"),
    "add": N_("May add: %(what)s"),
    "change": N_("May change: %(what)s"),
    "delete": N_("May delete: %(what)s"),
}
"""What the rights that Django makes for every kind of thing allow."""

VERBS: Mapping[str, str] = {
    "founded": N_("founded the club"),
    "terms": N_("changed the club’s settings"),
    "joined": N_("joined"),
    "came": N_("joined by invitation"),
    "left": N_("left the club"),
    "roles": N_("changed roles"),
    "banned": N_("banned somebody"),
    "unbanned": N_("lifted a ban"),
    "invited": N_("made an invitation"),
    "revoked": N_("took an invitation back"),
    "accepted": N_("accepted a request to join"),
    "refused": N_("refused a request to join"),
}
"""Every verb of ``Act``."""

OF_FORMS = (
    N_("This field is required."),
    N_("Enter a valid value."),
    N_("Enter a valid email address."),
    N_("Enter a whole number."),
    N_("Enter a number."),
    N_("Enter a valid date."),
    N_("Enter a valid time."),
    N_("Enter a valid date/time."),
    N_("Enter a list of values."),
    N_("No file was submitted."),
    N_("The submitted file is empty."),
    N_("Ensure this value is less than or equal to %(limit_value)s."),
    N_("Ensure this value is greater than or equal to %(limit_value)s."),
    ngettext_lazy(
        "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
    N_("Select a valid choice. %(value)s is not one of the available choices."),
    N_("Select a valid choice. That choice is not one of the available choices."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    N_("The password is too similar to the %(verbose_name)s."),
    N_("This password is too common."),
    N_("This password is entirely numeric."),
)
"""What Django's own forms say to people: named here, so that it is said in the words of this site's catalogue."""


def roles_in_words(roles: list[str]) -> str:
    """Return roles as a list in the active language; a member without an office is called so."""
    return ", ".join(str(_(ROLE_NAMES[role])) for role in roles or ["member"])


def group_in_words(name: str) -> str:
    """Return what one of Django's groups is called; those that keepers made are called as they named them."""
    return _(GROUP_NAMES[name]) if name in GROUP_NAMES else name


def right_in_words(right: Permission) -> str:
    """Return what one of Django's rights allows: the row keeps what it was called when it was made, in one language."""
    model = right.content_type.model_class()
    own = dict(model._meta.permissions) if model else {}
    action = right.codename.partition("_")[0]
    if right.codename in own:
        return str(own[right.codename])
    if model is None or action not in ACTIONS:
        return right.name
    return _(ACTIONS[action]) % {"what": model._meta.verbose_name_plural}


def act_in_words(verb: str, details: Mapping[str, Any]) -> str:
    """Return what somebody did, with what tells it from others of its kind."""
    words = _(VERBS[verb])
    if verb == "roles":
        change = {"before": roles_in_words(details["before"]), "after": roles_in_words(details["after"])}
        return f"{words}: " + _("%(before)s → %(after)s") % change
    if verb == "invited":
        people = ngettext("%(count)d person", "%(count)d people", details["uses"]) % {
            "count": details["uses"]
        }
        return f"{words}: {roles_in_words([details['role']])}, {people}"
    return words


def join_request_in_words(about: Mapping[str, Any]) -> str:
    """Tell an organiser that somebody asks to join ``about["club"]``."""
    return _("Somebody asks to join %(club)s.") % about


def join_answer_in_words(about: Mapping[str, Any]) -> str:
    """Tell who asked to join ``about["club"]`` whether they were let in (``about["accepted"]``)."""
    if about["accepted"]:
        return _("You are a member of %(club)s now.") % about
    return _("Your request to join %(club)s was refused.") % about

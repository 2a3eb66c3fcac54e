"""What was done in a club, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as N_
from django.utils.translation import ngettext

ROLE_NAMES: Mapping[str, str] = {
    "owner": N_("owner"),
    "organiser": N_("organiser"),
    "treasurer": N_("treasurer"),
    "approver": N_("approver"),
    "auditor": N_("auditor"),
    "member": N_("member"),
}

VERBS: Mapping[str, str] = {
    "founded": N_("founded the club"),
    "terms": N_("changed the club's settings"),
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


def roles_in_words(roles: list[str]) -> str:
    """Return roles as a list in the active language; a member without an office is called so."""
    return ", ".join(str(_(ROLE_NAMES[role])) for role in roles or ["member"])


def act_in_words(verb: str, details: Mapping[str, Any]) -> str:
    """Return what somebody did, with what tells it from others of its kind."""
    words = _(VERBS[verb])
    if verb == "roles":
        change = {"before": roles_in_words(details["before"]), "after": roles_in_words(details["after"])}
        return f"{words}: " + _("%(before)s → %(after)s") % change
    if verb == "invited":
        people = ngettext("%(count)d person", "%(count)d people", details["uses"]) % {
            "count": details["uses"]
        }
        return f"{words}: {roles_in_words([details['role']])}, {people}"
    return words

"""A person's own data, as the person may take it along."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from clubs.models import Act, ApiToken, JoinRequest, Membership, Notice, User
from clubs.selectors.notices import notice_settings_of
from clubs.signals import told_about


def all_about(*, user: User) -> dict[str, Any]:
    """Return everything that is kept about a person: ``{file name: JSON-ready value}``, also from the apps above.

    Moments are ISO 8601. Passwords and secrets are not in it: they would only help a thief.
    """
    collected: dict[str, Any] = {
        "profile": _profile(user),
        "clubs": _clubs(user),
        "notifications": _notices(user),
    }
    for _receiver, more in told_about.send(sender=User, user=user):
        collected |= cast(dict[str, Any], more)
    return collected


def _profile(user: User) -> dict[str, Any]:
    sessions = UserSession.objects.filter(user=user)
    return {
        "user_name": user.username,
        "name": user.display_name,
        "language": user.language,
        "time_zone": user.time_zone,
        "profile_seen_by": user.seen_by,
        "on_leaderboards": user.on_leaderboards,
        "program_plays": user.is_bot,
        "signed_up": user.date_joined.isoformat(),
        "last_signed_in": user.last_login.isoformat() if user.last_login else None,
        "addresses": [
            {"address": row.email, "confirmed": row.verified, "in_use": row.primary}
            for row in EmailAddress.objects.filter(user=user)
        ],
        "tokens": [
            {
                "name": row.name,
                "begins": row.prefix,
                "scopes": row.scopes,
                "made": row.created_at.isoformat(),
                "valid_until": row.expires_at.isoformat(),
                "last_used": row.last_used_at.isoformat() if row.last_used_at else None,
                "revoked": row.revoked_at.isoformat() if row.revoked_at else None,
            }
            for row in ApiToken.objects.filter(user=user)
        ],
        "second_factors": [
            {"kind": row.type, "since": row.created_at.isoformat()}
            for row in Authenticator.objects.filter(user=user)
        ],
        "sessions": [
            {"since": row.created_at.isoformat(), "address": row.ip, "browser": row.user_agent}
            for row in sessions
        ],
    }


def _clubs(user: User) -> dict[str, Any]:
    memberships = Membership.objects.filter(user=user).select_related("club")
    asked = JoinRequest.objects.filter(user=user).select_related("club")
    acts = Act.objects.filter(by=user).select_related("club")
    return {
        "memberships": [
            {
                "club": row.club.name,
                "roles": row.roles,
                "state": row.state,
                "since": row.joined_at.isoformat(),
            }
            for row in memberships
        ],
        "requests": [
            {"club": row.club.name, "message": row.message, "state": row.state, "at": row.made_at.isoformat()}
            for row in asked
        ],
        "acts": [{"club": row.club.name, "act": row.verb, "at": row.at.isoformat()} for row in acts],
    }


def _notices(user: User) -> dict[str, Any]:
    wishes = notice_settings_of(user.pk)
    return {
        "mails": wishes.mails,
        "not_on_the_site": wishes.quiet_site,
        "not_by_mail": wishes.quiet_mail,
        "told": [
            {
                "kind": row.kind,
                "about": row.about,
                "page": row.address,
                "at": row.told_at.isoformat(),
                "read": row.read_at.isoformat() if row.read_at else None,
                "mailed": row.mailed_at.isoformat() if row.mailed_at else None,
            }
            for row in Notice.objects.filter(user=user)
        ],
    }

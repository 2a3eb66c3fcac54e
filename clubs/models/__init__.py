"""What is kept of people and clubs."""

from clubs.models.clubs import (
    FIRST_CLUB,
    OFFICES,
    Act,
    Club,
    Invitation,
    JoinRequest,
    Membership,
    Role,
)
from clubs.models.notices import Notice, NoticeSettings
from clubs.models.people import User
from clubs.models.tokens import ApiToken, Scope

__all__ = [
    "FIRST_CLUB",
    "OFFICES",
    "Act",
    "ApiToken",
    "Club",
    "Invitation",
    "JoinRequest",
    "Membership",
    "Notice",
    "NoticeSettings",
    "Role",
    "Scope",
    "User",
]

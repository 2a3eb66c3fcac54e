"""People and clubs in the admin. Each module registers its pages."""

from clubs.admin.clubs import ActAdmin, ClubsAdmin, InvitationAdmin, JoinRequestAdmin, MembershipAdmin
from clubs.admin.groups import GroupAdmin
from clubs.admin.notices import NoticeAdmin, NoticeSettingsAdmin
from clubs.admin.people import UserAdmin
from clubs.admin.tokens import ApiTokenAdmin

__all__ = [
    "ActAdmin",
    "ApiTokenAdmin",
    "ClubsAdmin",
    "GroupAdmin",
    "InvitationAdmin",
    "JoinRequestAdmin",
    "MembershipAdmin",
    "NoticeAdmin",
    "NoticeSettingsAdmin",
    "UserAdmin",
]

"""People and clubs in the admin. Each module registers its pages."""

from clubs.admin.people import UserAdmin
from clubs.admin.tokens import ApiTokenAdmin

__all__ = ["ApiTokenAdmin", "UserAdmin"]

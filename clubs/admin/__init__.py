"""People and clubs in the admin. Each module registers its pages."""

from clubs.admin.people import UserAdmin

__all__ = ["UserAdmin"]

"""What people and clubs refuse, in sentences."""

from clubs.errors.people import PersonRefusal

__all__ = ["PersonRefusal"]

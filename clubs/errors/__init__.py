"""What people and clubs refuse, in sentences."""

from clubs.errors.clubs import ClubRefusal
from clubs.errors.people import PersonRefusal

__all__ = ["ClubRefusal", "PersonRefusal"]

"""What is kept of people and clubs."""

from clubs.models.people import User

__all__ = ["User"]

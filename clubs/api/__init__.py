"""The HTTP API of people and clubs, and what the APIs of all apps have in common."""

from clubs.api.people import router

__all__ = ["router"]

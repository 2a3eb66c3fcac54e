"""What is done with people and clubs: verbs with keyword-only arguments."""

from clubs.services.guests import create_guest

__all__ = ["create_guest"]

"""What can be read of people and clubs."""

from clubs.selectors.sessions import SESSION, session_holds, signs_in

__all__ = ["SESSION", "session_holds", "signs_in"]

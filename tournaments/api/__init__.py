"""The HTTP API of the events (docs/api.md)."""

from tournaments.api import organising, playing, reading
from tournaments.api.routes import router

__all__ = ["organising", "playing", "reading", "router"]

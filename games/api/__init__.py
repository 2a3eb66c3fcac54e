"""The HTTP API of the tables (docs/api.md)."""

from games.api import history, playing, streaming, tables
from games.api.routes import router

__all__ = ["history", "playing", "router", "streaming", "tables"]

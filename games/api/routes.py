"""The one router of the tables' API: what is read and what is done at one address stands in different files."""

from clubs.api.routing import ScopedRouter

router = ScopedRouter()

"""Time zones that a person may choose, by their names in the IANA database."""

from __future__ import annotations

from zoneinfo import ZoneInfo, available_timezones

TIME_ZONE_COOKIE = "time_zone"

TIME_ZONES = frozenset(
    zone
    for zone in available_timezones()
    if "/" in zone and not zone.startswith(("Etc/", "SystemV/", "US/", "posix/", "right/"))
) | {"UTC"}
"""Zones by continent and city, and UTC; short names and those of one country only are other names of the same."""


def zone_of(name: str) -> ZoneInfo | None:
    """Return the zone of that name, ``None`` (the site's own) for any text that names none."""
    return ZoneInfo(name) if name in TIME_ZONES else None

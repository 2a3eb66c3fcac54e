"""Which Redis numbers the tests use: each pytest worker its own, and the sites of the browser tests others."""

from __future__ import annotations

import re

REDIS_NUMBERS = 16
BROWSED_SITE, FOUNDED_SITE = 8, 12
"""What is added for the site that the browser tests share, and for the one that is founded by them."""


def redis_number(url: str, add: int) -> str:
    """Return ``url`` with its database number raised by ``add``, whichever way the number is written."""
    pattern = r"(?<=db=)\d+" if url.startswith("unix:") else r"(?<=/)\d+$"
    if not re.search(pattern, url):
        url += "/0" if not url.startswith("unix:") else "?db=0"
    return re.sub(pattern, lambda m: str((int(m[0]) + add) % REDIS_NUMBERS), url)

"""Links as QR codes: people at a club evening point a phone at them."""

from __future__ import annotations

import io

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(link: str) -> SafeString:
    """Return the link as a QR code: an SVG element without styles, dark on light in every colour scheme."""
    out = io.BytesIO()
    segno.make(link, error="m").save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=3, light="#fff", dark="#000"
    )
    return mark_safe(out.getvalue().decode())  # made here from the address alone

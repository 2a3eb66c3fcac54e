"""``{% load cells %}``: a list of the admin, each cell with the name of its column, so that a phone can tell it line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
CELL = re.compile(r"<t[dh] class=\"[^\"]*\">")
NOTHING = re.compile(r"<t[dh] [^>]*>(?:–|&nbsp;|\s)*</t[dh]>")


@register.simple_tag
def cells(row: Sequence[Any], headers: Sequence[Mapping[str, Any]]) -> SafeString:
    """Return a row as Django rendered it, with ``data-label`` on its cells and ``data-empty`` on those that say nothing."""
    return mark_safe("".join(_named(row, headers)))


def _named(row: Sequence[Any], headers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for cell, header in zip(row, headers, strict=True):
        text = str(conditional_escape(cell))
        begun = CELL.match(text)
        if begun is None:
            yield text
            continue
        if "action-checkbox" in begun.group():
            # A label around the box takes the finger that misses it.
            yield f'{begun.group()}<label class="tick">{text[begun.end() :].replace("</td>", "</label></td>")}'
            continue
        name = str(header["text"])
        empty = " data-empty" if NOTHING.fullmatch(text) else ""
        extra = format_html(' data-label="{}"', name[:1].upper() + name[1:]) + empty
        end = begun.end() - 1
        yield text[:end] + extra + text[end:]

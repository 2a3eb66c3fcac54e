"""``{% modules "games/lobby.js" %}``: names a module's imports in the page's head, so that a browser asks for all at once.

Without it each module is found when the one that imports it has come: a journey to the server for every step.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()
IMPORTED = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+\.js)"', re.MULTILINE)


@register.simple_tag
def modules(name: str) -> SafeString:
    """Return a link for the module ``name`` (below ``static/``) and for everything that it imports, also by others."""
    return format_html_join(
        "\n", '<link rel="modulepreload" href="{}">', ((static(each),) for each in closure(name))
    )


@cache
def closure(name: str) -> tuple[str, ...]:
    """Return a module and all that it imports, each once, the module first. Raises ``LookupError`` for a missing file."""
    found: dict[str, None] = {}

    def follow(module: str) -> None:
        if module in found:
            return
        found[module] = None
        path = finders.find(module)
        if not isinstance(path, str):
            raise LookupError(f"there is no static file {module}")
        for imported in IMPORTED.findall(Path(path).read_text("utf-8")):
            follow(normpath(join(dirname(module), imported)))

    follow(name)
    return tuple(found)

"""What a browser is asked to wait for must be a function: a bare expression is evaluated anew at each look.

Only the first look is free of the page's Content Security Policy, so a bare expression passes where it is true
at once and is refused ('unsafe-eval') where the page needs another moment.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
FUNCTION = re.compile(r"(async )?(\([^)]*\)|\w+) =>")


def waits(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, what is waited for) of each ``wait_for_function`` call; "" where it is no plain text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "wait_for_function":
            first = node.args[0] if node.args else None
            yield node.lineno, str(first.value) if isinstance(first, ast.Constant) else ""


def test_a_browser_that_needed_a_second_look_was_refused_by_the_security_policy() -> None:
    files = [
        path for part in ("tests", "script", "benchmarks") for path in sorted((ROOT / part).rglob("*.py"))
    ]
    found = [(path, line, told) for path in files for line, told in waits(ast.parse(path.read_text()))]
    assert len(found) >= 4
    bare = [
        f"{path.relative_to(ROOT)}:{line} {told}" for path, line, told in found if not FUNCTION.match(told)
    ]
    assert not bare, "\n".join(bare)

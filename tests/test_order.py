"""Lists told in the order of a moment: of equal moments the database would tell now one first and now another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db.models import DateField

ROOT = Path(settings.BASE_DIR)
APPS = ("clubs", "ledger", "games", "tournaments")
MOMENTS = {
    field.name
    for app in APPS
    for model in apps.get_app_config(app).get_models()
    for field in model._meta.get_fields()
    if isinstance(field, DateField)
}


def last_keys(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, field) for the last key of each ``order_by`` call and each ``ordering`` of a model."""
    for node in ast.walk(tree):
        keys: list[ast.expr] = []
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "order_by":
            keys = node.args
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "ordering":
            keys = node.value.elts if isinstance(node.value, ast.List) else []
        if keys:
            texts = [part.value for part in ast.walk(keys[-1]) if isinstance(part, ast.Constant)]
            yield node.lineno, str(texts[0] if texts else "").lstrip("-").rpartition("__")[2]


def test_equal_moments_in_an_export_came_in_another_order_after_the_log_was_archived() -> None:
    """A key behind the moment, such as the primary key, settles it; the admin adds one by itself."""
    files = [path for app in APPS for path in sorted((ROOT / app).rglob("*.py"))]
    found = [
        f"{path.relative_to(ROOT)}:{line} {key}"
        for path in files
        if "migrations" not in path.parts
        for line, key in last_keys(ast.parse(path.read_text()))
        if key in MOMENTS
    ]
    assert "ended_at" in MOMENTS and len(files) > 200
    assert not found, "\n".join(found)

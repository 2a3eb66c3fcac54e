"""A router that writes into the description which scope each of its operations needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ninja import Router

from clubs.api.access import Token


class ScopedRouter(Router):
    """Every operation has a token's scope; one without is a mistake."""

    def add_api_operation(  # type: ignore[override]
        self,
        path: str,
        methods: list[str],
        view_func: Callable[..., Any],
        *,
        auth: Token,
        openapi_extra: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """Add an operation as the framework does, with ``x-scope`` in its description."""
        told = {"x-scope": auth.scope, **(openapi_extra or {})}
        super().add_api_operation(path, methods, view_func, auth=auth, openapi_extra=told, **more)

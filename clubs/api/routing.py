"""A router that describes which scope each of its operations needs, and refuses filters that it does not know."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

from django.http import HttpRequest
from ninja import Router

from clubs.api.access import Token
from clubs.api.problems import Problem


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
        """Add an operation as the framework does, with ``x-scope`` in its description.

        A query with a name that is not described is refused: a misspelt filter would answer with too much.
        """
        known: set[str] = set()

        @functools.wraps(view_func)
        def careful(request: HttpRequest, **values: Any) -> Any:
            if unknown := sorted(set(request.GET) - known):
                raise Problem(
                    "bad_request", [{"where": f"query.{name}", "what": "unknown"} for name in unknown]
                )
            return view_func(request, **values)

        careful.__signature__ = _resolved(view_func)  # type: ignore[attr-defined]
        told = {"x-scope": auth.scope, **(openapi_extra or {})}
        super().add_api_operation(path, methods, careful, auth=auth, openapi_extra=told, **more)
        made: Any = careful
        for model in made._ninja_operation.models:
            if model.__ninja_param_source__ == "query":
                known.update(model.__ninja_flatten_map__)


def _resolved(function: Callable[..., Any]) -> inspect.Signature:
    """Return a signature whose annotations are no texts: they can be read in their own module alone."""
    kinds = get_type_hints(function, include_extras=True)
    signature = inspect.signature(function)
    named = [each.replace(annotation=kinds[each.name]) for each in signature.parameters.values()]
    return signature.replace(parameters=named, return_annotation=inspect.Signature.empty)

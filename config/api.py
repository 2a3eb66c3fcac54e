"""The HTTP API: one description of what every app answers to programs, and one shape of refusals (docs/api.md)."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path, re_path
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema

from clubs.api import limits
from clubs.api import router as clubs_router
from clubs.api.access import limit_of
from clubs.api.problems import MESSAGES, Problem, body_of, status_of
from clubs.errors.tokens import TokenRefusal
from config.api_page import described
from games.api import router as games_router
from games.errors import TableRefusal
from ledger.api import router as ledger_router
from ledger.errors import LedgerError
from ledger.selectors import told
from tournaments.api import router as tournaments_router
from tournaments.errors import EventRefusal

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/json"


class ClubAPI(NinjaAPI):
    """The API with its limits told in every answer, and a description that is made once."""

    def create_temporal_response(self, request: HttpRequest) -> HttpResponse:
        """Return the empty answer that an operation fills."""
        response = super().create_temporal_response(request)
        _add_headers(request, response)
        return response

    @functools.cached_property
    def description_of_all(self) -> OpenAPISchema:
        """The OpenAPI description, in the site's source language."""
        return self.get_openapi_schema()


def _add_headers(request: HttpRequest, response: HttpResponse, more: Mapping[str, str] | None = None) -> None:
    limit = limit_of(request)
    told_so_far = limit.headers if limit is not None else {}
    for name, value in {"Cache-Control": "no-store", **told_so_far, **(more or {})}.items():
        response[name] = value


def answer(
    request: HttpRequest,
    code: str,
    message: str,
    detail: Any = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Return a refusal as the API tells it."""
    response = JsonResponse(body_of(code, message, detail), status=status_of(code))
    _add_headers(request, response, headers)
    return response


api = ClubAPI(
    title="Card club",
    version="1",
    docs_url=None,
    openapi_url=None,
    urls_namespace="api",
    description="Tables, events and chips for programs. docs/api.md tells of tokens, limits and streams.",
)


@api.exception_handler(Problem)
def _problem(request: HttpRequest, refusal: Problem) -> HttpResponse:
    return answer(request, refusal.code, refusal.message, refusal.detail, headers=refusal.headers)


@api.exception_handler(TableRefusal)
@api.exception_handler(EventRefusal)
@api.exception_handler(TokenRefusal)
def _refusal(request: HttpRequest, refusal: TableRefusal | EventRefusal | TokenRefusal) -> HttpResponse:
    return answer(request, refusal.code, refusal.message, refusal.detail or None)


@api.exception_handler(LedgerError)
def _ledger_refusal(request: HttpRequest, refusal: LedgerError) -> HttpResponse:
    return answer(request, refusal.code, told(refusal), {k: str(v) for k, v in refusal.params.items()})


@api.exception_handler(ValidationError)
def _not_understood(request: HttpRequest, error: ValidationError) -> HttpResponse:
    faults = [{"where": _where(each["loc"]), "what": str(each["msg"])} for each in error.errors]
    return answer(request, "bad_request", _(MESSAGES["bad_request"]), faults)


def _where(place: Sequence[Any]) -> str:
    """Return the place of a fault as the sender knows it: a body's name in the code is nobody's business."""
    known = [place[0], *place[2:]] if place[0] == "body" else place
    return ".".join(map(str, known))


@api.exception_handler(Http404)
def _nothing_there(request: HttpRequest, _error: Http404) -> HttpResponse:
    return answer(request, "no_such_thing", _(MESSAGES["no_such_thing"]))


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """A body that is no JSON; nothing else of the framework's own refusals is left to come so far."""
    return answer(request, "bad_request", _(MESSAGES["bad_request"]), str(error))


@api.exception_handler(RequestDataTooBig)
def _too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    """A body that no operation asks for: it was never read, and that is the sender's fault."""
    return answer(request, "bad_request", _(MESSAGES["bad_request"]), str(error))


@api.exception_handler(Exception)
def _fault(request: HttpRequest, error: Exception) -> HttpResponse:
    """A bug: loud in the log, and told to the program in the shape that it can read."""
    logger.error("a request of the API failed: %s %s", request.method, request.path, exc_info=error)
    return answer(request, "fault", _(MESSAGES["fault"]))


for router in (clubs_router, games_router, tournaments_router, ledger_router):
    api.add_router("", router)


# Addresses ----------------------------------------------------------------------------------------------------------


def shaped(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a view's refusal of a method have the shape that all refusals have."""

    @functools.wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code != 405:
            return response
        allowed = {"Allow": response["Allow"]}
        return answer(request, "method_not_allowed", _(MESSAGES["method_not_allowed"]), headers=allowed)

    return answered


def nothing_here(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Any other address below the API's."""
    return answer(request, "no_such_address", _(MESSAGES["no_such_address"]))


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """The description of the API for programs."""
    return JsonResponse(api.description_of_all)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The description of the API for people."""
    context = {
        "parts": described(api.description_of_all),
        "base": request.build_absolute_uri(request.path),
        "requests": limits.REQUESTS,
        "seconds": limits.WINDOW_MS // 1000,
    }
    return render(request, "api.html", context)


def _addresses() -> list[Any]:
    patterns: list[Any] = api.urls[0]
    for pattern in patterns:
        pattern.callback = shaped(pattern.callback)
    # The framework's own root is only there to be found by its name.
    found = [pattern for pattern in patterns if pattern.name != "api-root"]
    root = [pattern for pattern in patterns if pattern.name == "api-root"]
    own = [path("openapi.json", openapi, name="openapi"), path("", page, name="page")]
    return [*own, *found, *root, re_path("(?P<rest>.*)", csrf_exempt(nothing_here))]


urls = (_addresses(), "ninja", api.urls_namespace)

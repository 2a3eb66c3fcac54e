"""A program of a person, for tests: it asks the API by HTTP with a token of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.test import Client

from clubs.models import ApiToken, Scope, User
from clubs.services.tokens import make_token


class Answer(NamedTuple):
    """A status, the JSON of the body (``None`` without one) and the headers."""

    status: int
    body: Any
    headers: Any

    @property
    def code(self) -> str:
        """The code of a refusal."""
        return str(self.body["code"])


class Program:
    """Asks with a token of ``user`` that has ``scopes`` (not given: all)."""

    def __init__(self, user: User, *scopes: str, language: str = "") -> None:
        made = make_token(user=user, name="tests", scopes=scopes or Scope.values, days=1)
        self.user, self.token, self.text = user, made.token, made.text
        self._client = Client(raise_request_exception=True)
        self._language = {"accept-language": language} if language else {}

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """Ask for a path below the API's address."""
        sent = {} if body is None else {"data": body, "content_type": "application/json"}
        headers = {"authorization": f"Bearer {self.text}", **self._language}
        answer: Any = self._client.generic if method == "RAW" else getattr(self._client, method)
        response = answer(f"/api/v1{path}", headers=headers, **sent)
        return Answer(response.status_code, response.json() if response.content else None, response.headers)

    def get(self, path: str) -> Answer:
        """Read."""
        return self.ask("get", path)

    def post(self, path: str, body: Any = None) -> Answer:
        """Do something."""
        return self.ask("post", path, {} if body is None else body)

    def delete(self, path: str) -> Answer:
        """Undo something."""
        return self.ask("delete", path)


def token_row(program: Program) -> ApiToken:
    """Return the program's token as it is now."""
    return ApiToken.objects.get(pk=program.token.pk)

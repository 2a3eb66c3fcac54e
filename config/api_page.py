"""The page that shows the API's description to people: made here, so that it needs no script and no other site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

METHODS = ("get", "post", "put", "patch", "delete")


class Field(NamedTuple):
    """A parameter, or a field of a body or an answer."""

    name: str
    kind: str
    required: bool
    text: str


class Answer(NamedTuple):
    """What is answered when all is well."""

    status: str
    title: str
    fields: list[Field]


class Operation(NamedTuple):
    """One thing that can be asked for."""

    anchor: str
    method: str
    path: str
    title: str
    text: str
    scope: str
    parameters: list[Field]
    body: list[Field]
    answers: list[Answer]

    @property
    def steps(self) -> list[str]:
        """The parts of its address, between which a line may break."""
        return self.path.removeprefix("/").split("/")


class Part(NamedTuple):
    """Operations that belong together."""

    name: str
    operations: list[Operation]


def described(description: Mapping[str, Any]) -> list[Part]:
    """Return an OpenAPI description as its page shows it, part by part in the order of the description."""
    parts: dict[str, Part] = {}
    for path, methods in description["paths"].items():
        for method in METHODS:
            if method in methods:
                found = methods[method]
                name = found.get("tags", [""])[0]
                parts.setdefault(name, Part(name, [])).operations.append(
                    _operation(method, path, found, description["components"]["schemas"])
                )
    return list(parts.values())


def _operation(method: str, path: str, found: Mapping[str, Any], schemas: Mapping[str, Any]) -> Operation:
    body = _json_of(found.get("requestBody", {}))
    return Operation(
        anchor=found["operationId"],
        method=method.upper(),
        path=path,
        title=found["summary"],
        text=found.get("description", ""),
        scope=found["x-scope"],
        parameters=[
            Field(each["name"], kind_of(each["schema"]), each["required"], each.get("description", ""))
            for each in found.get("parameters", [])
        ],
        body=_fields(body, schemas),
        answers=[
            Answer(str(status), answer["description"], _fields(_json_of(answer), schemas))
            for status, answer in found["responses"].items()
            if int(status) < 300
        ],
    )


def _json_of(holder: Mapping[str, Any]) -> Mapping[str, Any]:
    content = holder.get("content", {})
    found: Mapping[str, Any] = content.get("application/json", {}).get("schema", {})
    return found


def _fields(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> list[Field]:
    """Return the fields of an object, or of the objects in a list."""
    known = _resolved(schema, schemas)
    if known.get("type") == "array":
        known = _resolved(known.get("items", {}), schemas)
    required: Iterable[str] = known.get("required", ())
    return [
        Field(name, kind_of(each), name in required, each.get("description", ""))
        for name, each in known.get("properties", {}).items()
    ]


def _resolved(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref")
    found: Mapping[str, Any] = schemas[reference.rsplit("/", 1)[1]] if reference else schema
    return found


def kind_of(schema: Mapping[str, Any]) -> str:
    """Return the kind of a value in a few letters, as programs have it."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "anyOf" in schema:
        return " | ".join(kind_of(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"[{kind_of(schema.get('items', {}))}]"
    return str(schema.get("format") or schema.get("type") or "any")

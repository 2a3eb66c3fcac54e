"""Amounts, sources and hashes as people read them; ``{% load chips %}`` brings them to templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

register = template.Library()
MINUS = "\N{MINUS SIGN}"

_kinds: dict[str, str | Promise] = {
    "issue": _("chips given out"),
    "redeem": _("chips taken back"),
    "move": _("moved between members"),
    "clear": _("suspense cleared"),
    "reversal": _("reversal"),
}


_done: dict[str, str | Promise] = {
    "issue": _("gave out %(chips)s"),
    "redeem": _("took back %(chips)s"),
    "move": _("moved %(chips)s between members"),
    "clear": _("cleared %(chips)s from suspense"),
}


_requests: dict[str, str | Promise] = {
    "requested": _("asked for a reversal"),
    "approved": _("approved a reversal"),
    "rejected": _("rejected a reversal"),
}


def request_state(state: str) -> str:
    """What somebody did to a request for a reversal."""
    return str(_requests[state])


def done_at_desk(kind: str, amount: int, asset: Any) -> str:
    """What a treasurer did with chips, to be read after who it was."""
    return str(_done[kind]) % {"chips": sum_of(amount, asset)}


def credit_line_set(credit: int, asset: Any) -> str:
    """What a treasurer did by setting a credit line, likewise."""
    return gettext("set a credit line of %(chips)s") % {"chips": sum_of(credit, asset)}


def sum_of(amount: int, asset: Any) -> str:
    """An amount with the chips it is counted in, in one line."""
    return f"{chips(amount, asset)}\N{NO-BREAK SPACE}{asset.code}"


def name_kinds(names: Mapping[str, str | Promise]) -> None:
    """Say what kinds of transactions are called that another app writes."""
    _kinds.update(names)


@register.filter
def kind_name(kind: str) -> str:
    """What a kind of transaction is called; the kind itself when nobody has named it."""
    return str(_kinds.get(kind, kind))


@register.filter
def chips(amount: int | None, asset: Any = 0) -> str:
    """An amount in the asset's smallest unit with its decimal places and grouped thousands.

    ``asset`` is anything with a ``scale``, or the scale itself."""
    if amount is None:
        return ""
    scale = asset if isinstance(asset, int) else asset.scale
    whole, part = divmod(abs(amount), 10**scale)
    text = number_format(whole, force_grouping=True)
    if scale:
        # The separator of the active language stands between a nought and its first decimal place.
        text += number_format(0, decimal_pos=1)[1:-1] + f"{part:0{scale}d}"
    return MINUS + text if amount < 0 else text


@register.filter
def signed(amount: int, asset: Any = 0) -> str:
    """The same with a plus before what came in; nothing for nothing."""
    if not amount:
        return ""
    return ("+" if amount > 0 else "") + chips(amount, asset)


@register.filter
def count(number: int | None) -> str:
    """A number of things with grouped thousands."""
    return chips(number)


@register.filter
def hexadecimal(data: bytes | memoryview | None) -> str:
    """Bytes as hexadecimal digits."""
    return bytes(data).hex() if data is not None else ""


def approval_in_words(about: Mapping[str, Any]) -> str:
    """Tell an approver that a request for a reversal in ``about["club"]`` waits."""
    return gettext("A correction at %(club)s waits for your approval.") % about

"""Finite fields GF(q) for small prime powers q, as addition and multiplication tables.

The elements are the integers 0..q-1: the number written in base p holds the
coefficients of a polynomial over GF(p), lowest power first. The modulus is the
first monic irreducible polynomial of degree k in that numbering.
"""

from dataclasses import dataclass
from functools import cache

Table = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Field:
    """GF(order): ``add[a][b]`` and ``mul[a][b]`` for elements 0..order-1."""

    order: int
    add: Table
    mul: Table


def prime_power(number: int) -> tuple[int, int] | None:
    """Return (p, k) with ``number`` = p^k and p prime, or ``None``."""
    for p in range(2, number + 1):
        if number % p:
            continue
        rest, k = number, 0
        while rest % p == 0:
            rest, k = rest // p, k + 1
        return (p, k) if rest == 1 else None
    return None


@cache
def field(order: int) -> Field:
    """Return GF(order); raises ``ValueError`` unless ``order`` is a prime power."""
    power = prime_power(order)
    if power is None:
        raise ValueError(f"{order} is not a prime power")
    p, k = power
    polynomials = [_digits(n, p, k) for n in range(order)]
    modulus = _irreducible(p, k)
    add = tuple(
        tuple(_number([(x + y) % p for x, y in zip(a, b, strict=True)], p) for b in polynomials)
        for a in polynomials
    )
    mul = tuple(
        tuple(_number(_reduce(_times(a, b, p), modulus, p), p) for b in polynomials) for a in polynomials
    )
    return Field(order, add, mul)


def _digits(number: int, p: int, length: int) -> list[int]:
    """Return the base-p digits of ``number``, lowest first, padded to ``length``."""
    digits = []
    for _ in range(length):
        number, digit = divmod(number, p)
        digits.append(digit)
    return digits


def _number(digits: list[int], p: int) -> int:
    """Return the number with these base-p digits, lowest first."""
    total = 0
    for digit in reversed(digits):
        total = total * p + digit
    return total


def _times(a: list[int], b: list[int], p: int) -> list[int]:
    """Return the product of two polynomials over GF(p)."""
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] = (product[i + j] + x * y) % p
    return product


def _reduce(a: list[int], modulus: list[int], p: int) -> list[int]:
    """Return ``a`` modulo the monic ``modulus``, padded to its degree."""
    degree = len(modulus) - 1
    rest = list(a)
    for top in range(len(rest) - 1, degree - 1, -1):
        lead = rest[top]
        for i, coefficient in enumerate(modulus):
            rest[top - degree + i] = (rest[top - degree + i] - lead * coefficient) % p
    return (rest + [0] * degree)[:degree]


def _irreducible(p: int, k: int) -> list[int]:
    """Return the first monic polynomial of degree k over GF(p) without a proper factor."""
    factors = [[*_digits(n, p, degree), 1] for degree in range(1, k // 2 + 1) for n in range(p**degree)]
    for n in range(p**k):
        candidate = [*_digits(n, p, k), 1]
        if all(any(_reduce(candidate, factor, p)) for factor in factors):
            return candidate
    raise ValueError(
        f"no irreducible polynomial of degree {k} over GF({p})"
    )  # pragma: no cover - one always exists

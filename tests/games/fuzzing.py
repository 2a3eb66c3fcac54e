"""Nonsense for sockets: seeded attacks on a running web process, each of which must be answered or end by the rule.

``benchmarks/fuzz_sockets.py`` runs many of them against the whole site, the
suite a few. Nothing that a member may really do is sent by those who may do it,
so that afterwards every row of the tables must be as before.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tests.games.wire import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Line, frame, request

RULES = {1000, 1002, 1003, 1007, 1008, 1009, 1011, 1013, 4404}
"""Close codes that the protocol and docs/protocol.md know."""

PATIENCE = 60.0
BATCH = 6
LARGEST = 16_384


@dataclass(frozen=True)
class Target:
    """Where nonsense is sent: a web process, a table on which a deal is played, and who knocks at it.

    ``people`` maps ``on_turn``, ``waiting``, ``stranger`` and ``nobody`` to session keys.
    ``used`` are command ids in the log, ``elsewhere`` another table.
    """

    port: int
    table: UUID
    elsewhere: UUID
    version: int
    people: dict[str, str]
    used: list[str]


@dataclass
class Report:
    """What came back: how many frames were sent on how many sockets, the answers and closes by kind, and the faults."""

    frames: int = 0
    sockets: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    closes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Attack:
    """Bytes for the line, how many refusals must answer them at least, and whether the server must close."""

    kind: str
    data: bytes
    refusals: int = 0
    closes: bool = False


# What is sent ---------------------------------------------------------------------------------------------------------
ODD = (
    None,
    True,
    False,
    -1,
    0,
    1.5,
    1e308,
    2**53,
    2**70,
    "",
    "x",
    "\x00",
    "\ud800",
    "🂡" * 40,
    [],
    {},
    [[]],
    {"t": "ping"},
)
WORDS = (
    "move",
    "say",
    "mute",
    "chat_since",
    "nonce",
    "course",
    "echo",
    "ping",
    "resync",
    "back",
    "ready",
    "fly",
    "state",
)
ILLEGAL = (
    "declare!",
    "2H 2H 2H > stock",
    "0",
    "stock",
    "AS AS",
    "fly",
    " " * 64,
    "♠A",
    "7H > 7H",
    "shuffle AS KS",
    "💥",
)


def attacks(dice: random.Random, target: Target, person: str) -> Iterator[Attack]:
    """Yield attacks of all kinds for ever."""
    makers: tuple[Callable[[random.Random, Target, str], Attack], ...] = (
        *(_noise, _deep, _wrong_types, _wrong_types, _stale_move, _stale_move, _borrowed_id, _other_seat),
        *(_binary, _large, _fragments, _word_only, _surrogates, _echoes, _replay, _controls),
    )
    rare = (_oversized, _bad_protocol, _bad_protocol, _bad_close)
    while True:
        yield dice.choice(rare if dice.random() < 0.02 else makers)(dice, target, person)


def _noise(dice: random.Random, target: Target, person: str) -> Attack:
    text = "".join(
        dice.choice('{}[]":,0123456789tmvid\\ \u00e9\u2660\n') for _ in range(dice.randint(0, 200))
    )
    return Attack("noise", frame(text), 1)


def _deep(dice: random.Random, target: Target, person: str) -> Attack:
    depth = dice.randint(100, LARGEST // 6)
    opening, closing = dice.choice((("[", "]"), ('{"t":', "}")))
    text = opening * depth + dice.choice(("", "1" + closing * depth))
    return Attack("deep", frame(text[:LARGEST]), 1)


def _message(dice: random.Random, target: Target) -> dict[str, Any]:
    """Return a message in the right form whose move no table allows."""
    return {
        "t": dice.choice(WORDS),
        "id": str(UUID(int=dice.getrandbits(128), version=4)),
        "v": target.version,
        "m": dice.choice(ILLEGAL),
        "value": "a number",
        "do": "pause!",
        "line": 2**40,
        "k": "00000000",
    }


def _wrong_types(dice: random.Random, target: Target, person: str) -> Attack:
    message = _message(dice, target)
    message["t"] = dice.choice(("move", "nonce", "course", "fly", "mute"))
    key = {"move": ("id", "v", "m"), "nonce": ("value",), "course": ("do",), "fly": ("t",), "mute": ("line",)}
    name = dice.choice(key[message["t"]])
    message[name] = dice.choice(
        [odd for odd in ODD if not isinstance(odd, int) or isinstance(odd, bool) or odd < 0]
    )
    return Attack("wrong types", frame(json.dumps(message)), 1)


def _stale_move(dice: random.Random, target: Target, person: str) -> Attack:
    message = _message(dice, target) | {"t": "move", "v": dice.choice((0, 1, target.version, 2**52))}
    return Attack("impossible move", frame(json.dumps(message)), 1)


def _borrowed_id(dice: random.Random, target: Target, person: str) -> Attack:
    message = _message(dice, target) | {"t": "move", "id": dice.choice(target.used)}
    return Attack(
        "somebody's command id", frame(json.dumps(message)), 0 if person in ("on_turn", "waiting") else 1
    )


def _other_seat(dice: random.Random, target: Target, person: str) -> Attack:
    more = {
        "seat": dice.randint(-1, 17),
        "user_id": dice.randint(1, 9),
        "you": 1,
        "by": "person",
        "lag": 2**31,
    }
    message = _message(dice, target) | {"t": "move", "table": str(target.elsewhere)} | more
    return Attack("another's seat", frame(json.dumps(message)), 1)


def _binary(dice: random.Random, target: Target, person: str) -> Attack:
    return Attack("binary", frame(dice.choice((b'{"t":"ping"}', dice.randbytes(50))), BINARY), 1)


def _large(dice: random.Random, target: Target, person: str) -> Attack:
    text = json.dumps({"t": "say", "id": "0", "text": "x" * dice.randint(8_000, 16_000)})
    return Attack("large", frame(text), 1)


def _fragments(dice: random.Random, target: Target, person: str) -> Attack:
    parts = [b'{"t":', b'"mo', b've","id":7}']
    between = frame(b"hello", PING) if dice.random() < 0.5 else b""
    data = frame(parts[0], TEXT, fin=False) + between + frame(parts[1], CONTINUATION, fin=False)
    return Attack("fragments", data + frame(parts[2], CONTINUATION), 1)


def _word_only(dice: random.Random, target: Target, person: str) -> Attack:
    word = dice.choice([word for word in WORDS if word not in ("ping", "resync")])
    silent = word in ("mute", "chat_since", "echo")
    return Attack("a word", frame(json.dumps({"t": word})), 0 if silent else 1)


def _surrogates(dice: random.Random, target: Target, person: str) -> Attack:
    text = '{"t":"move","id":"\\ud83c","v":1,"m":"\\udca1\\ud83c"}'
    return Attack("half characters", frame(dice.choice((text, '{"t":"nonce","value":"\\udfff"}'))), 1)


def _echoes(dice: random.Random, target: Target, person: str) -> Attack:
    words = dice.choice(("", "0" * 16, "é" * 8, f"{dice.getrandbits(32):08x}"))
    return Attack("echo", frame(json.dumps({"t": "echo", "k": words})))


def _replay(dice: random.Random, target: Target, person: str) -> Attack:
    one = frame(json.dumps(_message(dice, target) | {"t": "move", "v": 0}))
    return Attack("replay", one * 3, 3)


def _controls(dice: random.Random, target: Target, person: str) -> Attack:
    return Attack("control", frame(dice.randbytes(dice.randint(0, 125)), dice.choice((PING, PONG))))


def _oversized(dice: random.Random, target: Target, person: str) -> Attack:
    return Attack("oversized", frame(b" " * dice.randint(LARGEST + 1, 200_000)), closes=True)


def _bad_protocol(dice: random.Random, target: Target, person: str) -> Attack:
    broken = (
        frame("{}", masked=False),
        frame("{}", reserved=dice.randint(1, 7)),
        frame("{}", dice.choice((3, 5, 11, 15))),
        frame(b"\xff\xfe\xc0"),
        frame(b"\xed\xa0\x80"),
        frame(b"x" * 126, PING),
        frame(b"x", PING, fin=False),
        frame("{}", CONTINUATION),
        frame("{", TEXT, fin=False) + frame("}", TEXT),
        bytes([0x81, 0xFF]) + (2**63).to_bytes(8, "big"),
    )
    return Attack("bad protocol", dice.choice(broken), closes=True)


def _bad_close(dice: random.Random, target: Target, person: str) -> Attack:
    payload = dice.choice((b"", b"\x03", b"\x03\xe8", b"\x00\x00", b"\x03\xed", b"\x03\xe8\xff\xff"))
    return Attack("close", frame(payload, CLOSE), closes=True)


# How it is sent -------------------------------------------------------------------------------------------------------
async def fuzz(target: Target, *, frames: int, seed: int, at_once: int = 8) -> Report:
    """Send about ``frames`` frames from ``at_once`` clients at a time and return what came back."""
    report = Report()

    async def client(number: int) -> None:
        dice = random.Random(f"{seed}/{number}")
        while report.frames < frames and len(report.faults) < 20:
            if dice.random() < 0.1:
                await _knock(dice, target, report)
            else:
                await _visit(dice, target, report)

    await asyncio.gather(*(client(number) for number in range(at_once)))
    return report


async def _visit(dice: random.Random, target: Target, report: Report) -> None:
    """One socket: attacks in batches, each ended by a ping, until enough is said or the server closes."""
    person = dice.choice(list(target.people))
    try:
        line = await Line.at_table(target.port, target.table, session=target.people[person])
    except (ConnectionError, EOFError) as error:
        report.faults.append(f"a proper handshake was refused: {error}")
        return
    report.sockets += 1
    source = attacks(dice, target, person)
    try:
        for _ in range(dice.randint(1, 30)):
            batch = [next(source) for _ in range(dice.randint(1, BATCH))]
            report.frames += len(batch) + 1
            line.write(b"".join(attack.data for attack in batch) + frame('{"t":"ping"}'))
            if await _heard(line, batch, report):
                return
        if dice.random() < 0.5:
            line.write(frame(b"\x03\xe8", CLOSE))
            await _heard(line, [Attack("close", b"", closes=True)], report)
    except TimeoutError:
        report.faults.append(f"no answer for {PATIENCE} s ({person}): {[a.kind for a in batch]}")
    finally:
        line.drop()


async def _heard(line: Line, batch: list[Attack], report: Report) -> bool:
    """Read until the pong that ends a batch, or until the server closes; returns whether it closed."""
    refused = 0
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                opcode, payload = await line.next()
            except EOFError:
                report.closes["without a code"] += 1
                _may_close(batch, None, report)
                return True
            if opcode == CLOSE:
                code = int.from_bytes(payload[:2], "big") if payload else 1005
                report.closes[str(code)] += 1
                _may_close(batch, code, report)
                return True
            if opcode != TEXT:
                continue
            answer = json.loads(payload)
            report.answers[answer["t"] if answer["t"] != "refused" else answer["code"]] += 1
            refused += answer["t"] == "refused"
            if answer["t"] == "pong":
                wanted = sum(attack.refusals for attack in batch)
                if refused < wanted:
                    report.faults.append(f"{wanted - refused} frames unanswered: {[a.kind for a in batch]}")
                return False


def _may_close(batch: list[Attack], code: int | None, report: Report) -> None:
    """Note a close that no rule explains: only a bad frame, or too many of them, ends a socket."""
    asked = any(attack.closes for attack in batch)
    if code not in (1008, None) and (not asked or code not in RULES | {1005}):
        report.faults.append(f"closed with {code}: {[attack.kind for attack in batch]}")
    elif code is None and not asked:
        report.faults.append(f"the line broke: {[attack.kind for attack in batch]}")


async def _knock(dice: random.Random, target: Target, report: Report) -> None:
    """One connection that does not become a proper socket: half a handshake, a wrong one, or one that nobody answers to."""
    line = await Line.open(target.port)
    report.sockets += 1
    report.frames += 1
    path = f"/ws/tables/{target.table}/"
    good = request(target.port, path)
    wrong = (
        request(target.port, path, Origin="http://evil.example"),
        request(target.port, path, Sec_WebSocket_Key=None),
        request(target.port, path, Sec_WebSocket_Version="12"),
        request(target.port, path, Sec_WebSocket_Key="short"),
        request(target.port, path, Upgrade="h2c"),
        request(target.port, path, Cookie="sessionid=" + "x" * 5000),
        request(target.port, "/ws/tables/no-table/"),
        request(target.port, "/ws/" + "a" * 3000),
        request(target.port, path, Host="evil.example"),
        b"\x16\x03\x01" + dice.randbytes(60),
        b"GET " + dice.randbytes(200) + b"\r\n\r\n",
    )
    try:
        if dice.random() < 0.5:
            line.write(good[: dice.randint(0, len(good) - 1)])
            await asyncio.sleep(dice.random() * 0.05)
            report.answers["half a handshake"] += 1
            return
        line.write(dice.choice(wrong))
        async with asyncio.timeout(PATIENCE):
            head = (await line.reader.read(4096)).split(b"\r\n", 1)[0].decode("latin-1")
        report.answers[f"handshake: {head[:40]}"] += 1
    except (TimeoutError, ConnectionError) as error:
        if isinstance(error, TimeoutError):
            report.faults.append("a handshake got no answer")
    finally:
        line.drop()

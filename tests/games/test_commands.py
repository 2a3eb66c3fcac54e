"""replay, check_deal and play_bots as they are typed: output, exit codes, no database, no settings needed."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.bots.arena import Setting, play_match
from games.rules import GAMES
from games.rules.record import parse_record, replay
from tests.games.rules.test_proof import true_proof
from tests.games.rules.test_record import MALFORMED, least, loo

ROOT = Path(__file__).parents[2]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error of ``manage.py`` with ``words``."""
    code = 0
    try:
        call_command(*words)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    told = capsys.readouterr()
    return code, told.out, told.err


def written(tmp_path: Path, raw: dict[str, Any]) -> str:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(raw))
    return str(path)


# replay -------------------------------------------------------------------------------


def test_replay_prints_the_moves_the_events_and_the_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "replay", written(tmp_path, loo()))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == [
        "dealing",
        "  stakes: from 5, to 0, amount 3, reason ante",
        "  dealt: dealer 5, seats 1 2 3 4 5, cards 1=3 2=3 3=3 4=3 5=3, [seat 1: hand 3C AH KS],"
        " [seat 2: hand 4C KH AS], [seat 3: hand 5C 5D 5S], [seat 4: hand 6C 6D 6S], [seat 5: hand 7C 7D 7S]",
    ]
    assert "move 6, seat 1: AH" in lines and "  trick: winner 2, number 3" in lines
    at = lines.index("outcome")
    assert lines[at + 1 : at + 3] == ["  seat  deltas  tricks", "     1       1       1"]
    assert lines[-2:] == ["  looed: none", "  pot: 0"]


def test_replay_says_that_a_deal_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, loo() | {"moves": ["play"]})
    assert run(capsys, "replay", path)[1].splitlines()[-1] == "the deal is not over"
    code, out, _ = run(capsys, "replay", path, "--json")
    assert code == 0 and json.loads(out)["outcome"] is None


@pytest.mark.parametrize("raw", [loo(), least()])
def test_replay_as_json_has_all_events_and_the_outcome(
    raw: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "replay", written(tmp_path, raw), "--json")
    played = replay(parse_record(raw))
    outcome = parse_record(raw).rules.outcome_json(played.final)
    assert (code, err) == (0, "") and outcome
    assert json.loads(out) == {"events": played.all_events, "outcome": outcome}


@pytest.mark.parametrize("flags", [(), ("--json",), ("--legal",), ("--legal", "--json")])
def test_replay_stops_at_the_first_illegal_move(
    flags: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = loo()
    raw["moves"][6] = "AS"
    code, out, err = run(capsys, "replay", written(tmp_path, raw), *flags)
    assert (code, err) == (1, "move 7 (seat 2: AS): must follow suit\n")
    assert "move 7" not in out
    if flags == ("--json",):
        assert json.loads(out)["outcome"] is None


def legal(tmp_path: Path, capsys: pytest.CaptureFixture[str], raw: dict[str, Any]) -> dict[str, Any]:
    code, out, _ = run(capsys, "replay", written(tmp_path, raw), "--legal", "--json")
    assert code == 0
    answer: dict[str, Any] = json.loads(out)
    return answer


def test_legal_tells_the_seat_its_moves_and_why_not_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert legal(tmp_path, capsys, loo() | {"moves": loo()["moves"][:6]}) == {
        "seat": 2,
        "legal": ["KH"],
        "refused": {"4C": "must_follow", "AS": "must_follow"},
    }
    answer = legal(tmp_path, capsys, least() | {"moves": []})
    assert answer["seat"] == 1 and answer["refused"] == {"declare": "first_turn"}
    assert {"KC KD > stock", "AS 2S 3S > 9H"} <= set(answer["legal"])


def test_legal_after_the_end_names_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert legal(tmp_path, capsys, least()) == {"seat": None, "legal": [], "refused": {}}
    assert run(capsys, "replay", written(tmp_path, least()), "--legal")[1] == (
        "the deal is over: nobody is on turn\n"
    )


def test_legal_in_plain_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "replay", written(tmp_path, loo() | {"moves": loo()["moves"][:6]}), "--legal")
    assert out.splitlines() == ["seat 2 is on turn", "  KH", "  not 4C: must follow", "  not AS: must follow"]


def until_a_reshuffle() -> dict[str, Any]:
    """Two seats draw and throw the first card of their hands until the stock is empty."""
    raw = least() | {"moves": []}
    record = parse_record(raw)
    state = replay(record).final
    while record.rules.actor(state):
        moves = [move for move in record.rules.legal_moves(state) if move.endswith("> stock")]
        state = record.rules.apply(state, moves[0]).state
        raw["moves"].append(moves[0])
    assert record.rules.actor(state) == 0
    return raw


def test_a_due_reshuffle_is_seat_0_and_says_which_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = until_a_reshuffle()
    answer = legal(tmp_path, capsys, raw)
    assert (answer["seat"], answer["legal"], answer["refused"]) == (0, [], {})
    assert len(answer["to_shuffle"]) == 52 - 10 - 1
    _, out, _ = run(capsys, "replay", written(tmp_path, raw), "--legal")
    assert out.startswith("a reshuffle is due: ") and " ".join(answer["to_shuffle"]) in out
    raw["moves"].append("shuffle " + " ".join(answer["to_shuffle"]))
    code, out, _ = run(capsys, "replay", written(tmp_path, raw))
    assert code == 0 and f"move {len(raw['moves'])}, shuffler: shuffle 2C" in out
    raw["moves"][-1] = "7H > stock"
    code, _, err = run(capsys, "replay", written(tmp_path, raw))
    assert (
        code == 1
        and err == f"move {len(raw['moves'])} (seat 0: 7H > stock): the stock must be shuffled first\n"
    )


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_record_is_one_line_and_exit_code_2(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, MALFORMED[what])
    code, out, err = run(capsys, "replay", path, "--json")
    assert (code, out) == (2, "") and err.count("\n") == 1 and err.startswith(f"{path}: ")


def test_a_hostile_option_cannot_write_a_page_of_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, loo() | {"options": {"loo": "x" * 100_000 + "\n\x1b[2J"}})
    code, _, err = run(capsys, "replay", path)
    assert code == 2 and len(err) < 400 and err.rstrip("\n").isprintable()


@pytest.mark.parametrize("command", ["replay", "check_deal"])
def test_a_file_that_cannot_be_read_is_malformed(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "nothing.json")
    assert run(capsys, command, missing) == (
        2,
        "",
        f"{missing}: the file cannot be read: No such file or directory\n",
    )
    code, _, err = run(capsys, command, str(tmp_path))
    assert code == 2 and err.count("\n") == 1


@pytest.mark.parametrize("command", ["replay", "check_deal"])
def test_bytes_that_are_not_json_are_malformed(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.json"
    for data in (b"", b"\xff\xfe\x00", b"[" * 500_000, b'{"a": NaN}', b"x" * 2_000_000, b"{}"):
        path.write_bytes(data)
        code, out, err = run(capsys, command, str(path))
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_hyphen_reads_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for command, raw in (("replay", loo()), ("check_deal", true_proof())):
        stdin = io.TextIOWrapper(io.BytesIO(json.dumps(raw).encode()))
        monkeypatch.setattr("sys.stdin", stdin)
        assert run(capsys, command, "-")[0] == 0


# check_deal ---------------------------------------------------------------------------


def test_check_deal_says_ok_or_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check_deal", written(tmp_path, true_proof())) == (0, "OK\n", "")
    raw = true_proof()
    fair = raw["deck"][:2]
    raw["deck"][:2] = fair[::-1]
    raw["first_dealer"] = 999
    code, out, err = run(capsys, "check_deal", written(tmp_path, raw))
    assert (code, out) == (1, "")
    deck, dealer = err.splitlines()
    assert (
        deck == f"the deck differs from the fair one: card 1 from the top is {fair[1]} instead of {fair[0]}"
    )
    assert dealer.startswith("the first dealer is seat ") and dealer.endswith("not seat 999")


def test_check_deal_refuses_what_is_no_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "check_deal", written(tmp_path, true_proof() | {"deal": 0}))
    assert (code, out) == (2, "")
    assert err.endswith("'deal' must be an integer from 1 to 1000000, not 0\n")


# play_bots ----------------------------------------------------------------------------


def bots(capsys: pytest.CaptureFixture[str], game: str, *words: str) -> dict[str, Any]:
    code, out, err = run(capsys, "play_bots", "--game", game, *words, "--json")
    assert (code, err) == (0, "")
    facts: dict[str, Any] = json.loads(out)
    return facts


GOLDEN_DIGESTS = {
    ("three_card_loo", "random", 9): "7444dea69eee509bd9175983b26cbc9af294a12e91a59e37017a36d51d281cae",
    ("least_score", "random", 4): "ab1f904c84093d87cb662d1149b3fe590579724d2fb6706dfb3fd6917c36d9e2",
}
"""Random bots choose by the rules and the streams alone; a change here means other decks, dice or rules."""


@pytest.mark.parametrize(("game", "level", "seats"), GOLDEN_DIGESTS)
def test_the_same_seed_gives_the_same_deals_on_any_machine(
    game: str, level: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--seats", str(seats), "--deals", "12", "--seed", "õhtu 7", "--level", level)
    facts = bots(capsys, game, *words)
    assert facts["digest"] == GOLDEN_DIGESTS[game, level, seats]
    assert bots(capsys, game, *words) == facts
    assert bots(capsys, game, *words[:5], "another", *words[6:])["digest"] != facts["digest"]


def test_a_deal_depends_on_its_number_and_not_on_how_many_are_played() -> None:
    setting = Setting(
        "least_score", GAMES["least_score"].parse_options({}), (1, 2, 3), "random", "x", random.Random
    )
    first = next(play_match(setting, 1))
    assert next(play_match(setting, 1)) == first
    assert next(play_match(setting, 2)) != first


@pytest.mark.parametrize(("game", "seats"), [("three_card_loo", "5"), ("least_score", "3")])
def test_what_bots_played_is_counted(game: str, seats: str, capsys: pytest.CaptureFixture[str]) -> None:
    facts = bots(capsys, game, "--seats", seats, "--deals", "40", "--seed", "1", "--level", "random")
    assert facts["deals"] == 40 and facts["matches"] >= 1
    finished = facts["matches"] - facts["last_match_unfinished"]
    assert sum(facts["firsts"].values()) >= finished
    assert list(facts["totals"]) == [str(seat) for seat in range(1, int(seats) + 1)]
    if game == "three_card_loo":
        assert facts["matches"] == 8 and not facts["last_match_unfinished"]
        assert sum(facts["totals"].values()) == 0


@pytest.mark.parametrize("game", ["three_card_loo", "least_score"])
def test_steady_bots_play_too(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--seats", "5", "--deals", "2", "--seed", "1", "--budget", "5")
    facts = bots(capsys, game, *words)
    assert facts["level"] == "steady" and bots(capsys, game, *words) == facts


PLAY = """
import random
from games.bots.arena import Setting, play
from games.rules import GAMES
for game in GAMES:
    options = GAMES[game].parse_options({})
    print(play(Setting(game, options, (1, 2, 3, 4, 5), "steady", "x", random.Random, 8), 2).digest)
"""


def test_the_order_of_sets_in_memory_changes_no_move() -> None:
    digests = set()
    for salt in ("1", "2", "3"):
        salted = os.environ | {"PYTHONHASHSEED": salt}
        done = subprocess.run(
            [sys.executable, "-c", PLAY], cwd=ROOT, env=salted, capture_output=True, check=True
        )
        digests.add(done.stdout)
    assert len(digests) == 1 and len(digests.pop().split()) == len(GAMES)


def test_play_bots_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "play_bots", "--game=three_card_loo", "--seats=5", "--deals=7", "--seed=s", "--level=random"
    )
    lines = out.splitlines()
    assert code == 0 and lines[0] == "three_card_loo, 5 random bots, seed s"
    assert lines[1].startswith("7 deals in 2 matches, the last one unfinished; ")
    assert lines[3].split() == ["seat", "total", "a", "deal", "matches", "won"] and len(lines[4:9]) == 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--seats=4",), "is for 5 to 16 seats, not 4"),
        (("--seats=5", "--level=clever"), "no bot of three_card_loo is called 'clever'"),
        (("--seats=5", "--deals=0"), "at least one deal"),
        (("--seats=5", "--options=[1]"), "instead of a JSON object"),
        (("--seats=5", '--options={"jokers": 1}'), "no option 'jokers'"),
        (("--seats=5", '--options={"loo": 4}'), "loo cannot be 4"),
    ],
)
def test_what_cannot_be_played_is_one_line_and_exit_code_2(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(
        capsys, "play_bots", "--game=three_card_loo", "--deals=1", "--seed=s", "--level=random", *words
    )
    assert (code, out) == (2, "") and told in err and err.count("\n") == 1


def test_options_of_the_game_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    facts = bots(
        capsys,
        "three_card_loo",
        *("--seats=3", "--deals=2", "--seed=s", "--level=random", '--options={"min_players": 3}'),
    )
    assert facts["options"]["min_players"] == 3


# As processes -------------------------------------------------------------------------


def test_the_commands_need_neither_settings_nor_a_database(tmp_path: Path) -> None:
    raw = loo()
    raw["moves"][6] = "AS"
    bare = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    bots_words = ["play_bots", "--game=least_score", "--seats=2", "--deals=1", "--seed=s", "--level=random"]
    for words, code in (
        (["replay", written(tmp_path, raw)], 1),
        (["check_deal", "nothing.json"], 2),
        (bots_words, 0),
    ):
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=bare,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert done.stderr.count("\n") == (code > 0)

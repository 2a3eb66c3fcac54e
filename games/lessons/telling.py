"""A lesson as the page plays it: every step with the views that the rules give for the learner's seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from games.lessons.scenes import NAMES, Scene, Step
from games.rules import GAMES
from games.rules.interface import Event, Game, Move, event_for
from games.wording import title_of


class _Played(NamedTuple):
    """Where a scene stands: the match (before its deal, and after it once it is over) and the deal."""

    match: Any
    state: Any


def tell(game: str, scenes: Sequence[Scene], learner_name: str) -> dict[str, Any]:
    """Return a lesson, JSON-ready, in the active language: ``game``, ``title`` and ``steps``.

    A step has ``scene`` (its number, from 0), ``title``, ``say``, ``table`` (as in a state
    frame), ``ask`` (the moves that lead on; empty where the learner only reads),
    ``instead`` (sentences for other legal moves, by move), ``why`` (sentences for refusals,
    by code) and ``frames``: the views that lead to it, one after the dealing or each move,
    as ``{"deal", "events", "match"}``.
    """
    steps = [step for n, scene in enumerate(scenes) for step in _scene(game, n, scene, learner_name)]
    return {"game": game, "title": title_of(game), "steps": steps}


def count_steps(scenes: Sequence[Scene]) -> int:
    """Return how many steps a lesson has."""
    return sum(len(scene.steps) for scene in scenes)


def _scene(game: str, number: int, scene: Scene, learner_name: str) -> Iterator[dict[str, Any]]:
    """Yield a scene's steps; a decision's first accepted move is what the next step begins with."""
    rules = GAMES[game]
    played = _dealt(rules, scene)
    frames = [_frame(rules, scene, played, rules.opening(played.state))]
    answer: tuple[Move, ...] = ()
    for step in scene.steps:
        for move in (*answer, *step.moves):
            played, events = _moved(rules, played, move)
            frames.append(_frame(rules, scene, played, events))
        yield {
            "scene": number,
            "title": str(scene.title),
            "say": str(step.say),
            "table": _table(game, scene, learner_name),
            "ask": list(step.ask),
            "instead": _instead(rules, played, step),
            "why": {code: str(text) for code, text in step.why},
            "frames": frames,
        }
        # A step that is opened by itself still shows its table: the last frame comes again.
        frames = [{**frames[-1], "events": []}] if not step.ask else []
        answer = step.ask[:1]


def _dealt(rules: Game, scene: Scene) -> _Played:
    seats = tuple(range(1, scene.seats + 1))
    options = rules.parse_options(scene.options)
    match = rules.new_match(seats=seats, dealer=scene.dealer, options=options).match._replace(pot=scene.pot)
    return _Played(match, rules.match_deal(match, deck=scene.deck))


def _moved(rules: Game, played: _Played, move: Move) -> tuple[_Played, tuple[Event, ...]]:
    """Apply a move of the script; one that the rules refuse is a fault of the script and raises."""
    state, events = rules.apply(played.state, rules.parse_move(move))
    if rules.outcome(state) is None:
        return played._replace(state=state), events
    match, closing = rules.close_deal(played.match, state)
    return _Played(match, state), (*events, *closing)


def _frame(rules: Game, scene: Scene, played: _Played, events: Sequence[Event]) -> dict[str, Any]:
    return {
        "deal": rules.view_for(played.state, scene.learner),
        "match": rules.match_view(played.match),
        "events": [event_for(event, scene.learner) for event in events],
    }


def _table(game: str, scene: Scene, learner_name: str) -> dict[str, Any]:
    names = {**dict(enumerate(NAMES, start=1)), scene.learner: learner_name}
    seats = [
        {"seat": n, "name": names[n], "free": False, "bot": False, "stand_in": False}
        | {"left": False, "ready": False, "present": True, "sitting_out": False}
        for n in range(1, scene.seats + 1)
    ]
    return {"id": "", "game": game, "title": title_of(game), "you": scene.learner, "seats": seats}


def _instead(rules: Game, played: _Played, step: Step) -> dict[str, str]:
    """Return what the lesson says to each legal move that it does not go on with."""
    found = {}
    for move in rules.legal_moves(played.state) if step.ask else ():
        if move not in step.ask:
            found[move] = str(next(text for pattern, text in step.instead if fnmatchcase(move, pattern)))
    return found

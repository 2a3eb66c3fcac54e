"""The referee's account of Least Score (docs/rules/least_score.md), apart from the game's code."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.cards import PACK
from games.rules.interface import Event, Seat
from games.rules.record import Record
from tests.games.laws.account import Zones, demand, take_out


class LeastScoreAccount:
    """Least Score: five cards a seat, one open, the rest is the stock (S2, S7)."""

    choices: Mapping[str, tuple[Any, ...]] = {
        "packs": (1, 2),
        "three_of_a_kind": (False, True),
        "any_run": (False, True),
        "runs": ("any", "one_suit"),
        "pick": ("any", "ends"),
        "declare_cap": (None, 5, 7, 10),
        "tie": ("success", "caught"),
        "match": ("last_standing", "first_out"),
        "threshold": (100, 50, 25),
        "starter": ("left", "winner"),
        "per_point": (False, True),
        "entry": (0, 1, 7),
        "prize": ("winner", "split_70_30"),
    }

    def known(self, record: Record, over: bool, seat: Seat | None) -> Any:
        """Own hand, open cards, discards and takes, own stock cards; all hands once they are shown (S18).

        ``None`` if somebody would have laid a card that is not in the hand.
        """
        count = len(record.seats)
        left = (record.seats.index(record.dealer) + 1) % count
        order = record.seats[left:] + record.seats[:left]
        hands = {player: list(record.deck[place : 5 * count : count]) for place, player in enumerate(order)}
        mine = sorted(hands.get(seat, [])) if seat is not None else []
        first = order.index(record.carried.get("starter") or order[0])
        stock, drawn, told, turn = list(record.deck[5 * count + 1 :]), [], [], first
        for move in record.moves:
            if move.startswith("shuffle "):
                stock = move.split()[1:]
                told.append("shuffle")
                continue
            told.append(move)
            if move == "declare":
                continue
            player, (laid, source) = order[turn % count], move.split(" > ")
            card = stock.pop(0) if source == "stock" else source
            if source == "stock" and player == seat:
                drawn.append(card)
            for gone in laid.split():
                if gone not in hands[player]:
                    return None
                hands[player].remove(gone)
            hands[player].append(card)
            turn += 1
        shown = {player: sorted(hand) for player, hand in hands.items()} if over else None
        return mine, record.deck[5 * count], told, drawn, shown

    def zones(self, record: Record) -> Zones:
        """Return the zones before the dealing."""
        return LeastScoreZones(record)

    def attempts(self, dice: random.Random, legal: Sequence[str], hand: Sequence[str]) -> list[str]:
        """Random sets of the hand, now and then with a foreign card, with every kind of source."""
        sources = [*{move.split(" > ")[-1] for move in legal if ">" in move}, dice.choice(PACK)]
        tried = ["declare", f"shuffle {dice.choice(PACK)}"]
        for _ in range(4):
            laid = dice.sample(list(hand), dice.randint(1, len(hand))) if hand else [dice.choice(PACK)]
            if dice.random() < 0.2:
                laid[0] = dice.choice(PACK)
            tried.append(f"{' '.join(laid)} > {dice.choice([*sources, laid[-1]])}")
        return tried


class LeastScoreZones:
    """Hands, the open set, the buried cards and the cards not seen yet."""

    def __init__(self, record: Record) -> None:
        self.hidden = list(record.deck)
        self.hands: dict[Seat, list[str]] = {}
        self.open: list[str] = []
        self.before: list[str] = []
        self.buried: list[str] = []
        self.shuffled = False

    def follow(self, event: Event) -> None:
        """Move the cards that ``event`` moves."""
        kind = event["type"]
        if kind == "dealt":
            for seat, private in event["private"].items():
                self.hands[int(seat)] = [self._from_hidden(card) for card in private["hand"]]
        elif kind == "open":
            self.open = [self._from_hidden(event["card"])]
        elif kind == "discard":
            self.before, self.open = self.open, list(event["cards"])
            for card in event["cards"]:
                take_out(self.hands[event["seat"]], card, f"the hand of seat {event['seat']}")
        elif kind == "take":
            self._take(event)
        elif kind == "shuffle":
            demand(event["count"] == len(self.buried), "a shuffle of another number of cards than is buried")
            self.hidden, self.buried = self.hidden + self.buried, []
        elif kind == "show":
            for seat, hand in event["hands"].items():
                demand(sorted(hand) == sorted(self.hands[int(seat)]), f"seat {seat} shows another hand")

    def _take(self, event: Event) -> None:
        seat = event["seat"]
        if event["from"] == "open":
            take_out(self.before, event["card"], "the open set")
            self.hands[seat].append(event["card"])
        else:
            self.hands[seat].append(self._from_hidden(event["private"][str(seat)]["card"]))
        self.buried, self.before = self.buried + self.before, []

    def _from_hidden(self, card: str) -> str:
        take_out(self.hidden, card, "the stock")
        return card

    def agree(self, views: Mapping[Seat | None, dict[str, Any]]) -> None:
        """Every seat sees its own hand; everybody sees the open set and how many cards lie where."""
        for seat, hand in self.hands.items():
            view = views[seat]
            demand(sorted(view["hand"]) == sorted(hand), f"seat {seat} sees another hand")
            demand(1 <= len(hand) <= 5 and len(hand) == view["hand_sizes"][str(seat)], "another hand size")
            held = Counter(hand)
            demand(not Counter(view["known"][str(seat)]) - held, "a card is known in a hand it is not in")
            demand(view["total"] == sum(points(card) for card in hand), "another total (S2)")
        watcher = views[None]
        demand(watcher["hand"] is None and watcher["total"] is None, "a watcher has a hand")
        demand(sorted(watcher["open"]) == sorted(self.open), "another open set is shown")
        demand(watcher["stock"] == len(self.hidden), "another stock is counted")
        demand(watcher["buried"] == len(self.buried), "another number of buried cards is counted")

    def everywhere(self) -> list[str]:
        """Return all cards."""
        piles = [self.hidden, self.open, self.before, self.buried, *self.hands.values()]
        return [card for pile in piles for card in pile]


def points(card: str) -> int:
    """Return what ``card`` counts: an ace 1, ten and court cards 10, the others their number (S2)."""
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])

"""The referee's account of 3-Card Loo (docs/rules/three_card_loo.md), apart from the game's code."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.cards import PACK
from games.rules.interface import Event, Seat
from games.rules.record import Record
from tests.games.laws.account import Zones, demand, take_out

WORDS = ("fold", "play", "miss", "defend")


class LooAccount:
    """Loo: three cards a seat and the miss, dealt one at a time, then the turn-up (L4)."""

    choices: Mapping[str, tuple[Any, ...]] = {
        "min_players": (5, 3),
        "ante": ("dealer", "everyone"),
        "defend": ("lone", "any"),
        "dealer_may_concede": (False, True),
        "lead": ("highest_if_two", "always_highest"),
        "under_trump": ("must", "free"),
        "loo": (3, 6, "pot"),
        "loo_cap": (24, 3, 5, 100),
        "bold_stand": (False, True),
        "club_law": (False, True),
        "rotations": (1, 2, 5),
        "finish": ("fixed", "until_no_loo"),
    }

    def known(self, record: Record, over: bool, seat: Seat | None) -> Any:
        """Own hand, turn-up, every move; the miss for who took it (L5), and for all at the end of play (L6)."""
        count = len(record.seats)
        left = record.seats.index(record.dealer) + 1
        order = record.seats[left:] + record.seats[:left]
        dealt = [record.deck[place :: count + 1][:3] for place in range(count + 1)]
        words = record.moves[:count]
        takers = [order[place] for place, word in enumerate(words) if word in ("miss", "defend")]
        played = any(move in PACK for move in record.moves)
        sees_miss = seat in takers or (over and played and not takers)
        own = dealt[order.index(seat)] if seat in order else None
        turn_up = record.deck[3 * (count + 1)]
        return record.moves, own, turn_up, sorted(dealt[count]) if sees_miss else None

    def zones(self, record: Record) -> Zones:
        """Return the zones before the dealing."""
        return LooZones(record)

    def attempts(self, dice: random.Random, legal: Sequence[str], hand: Sequence[str]) -> list[str]:
        """Every word, every card of the hand, and a few others."""
        return [*WORDS, *hand, *dice.sample(PACK, 3)]


class LooZones:
    """Hands, thrown hands, the table and the cards not seen yet."""

    def __init__(self, record: Record) -> None:
        self.hidden = list(record.deck)
        self.hands: dict[Seat, list[str]] = {}
        self.thrown: dict[Seat, list[str]] = {seat: [] for seat in record.seats}
        self.table: list[str] = []

    def follow(self, event: Event) -> None:
        """Move the cards that ``event`` moves."""
        kind = event["type"]
        if kind == "dealt":
            for seat, private in event["private"].items():
                self.hands[int(seat)] = self._from_hidden(private["hand"])
        elif kind == "turn_up":
            self.table += self._from_hidden([event["card"]])
        elif kind in ("taken_miss", "defend"):
            seat = event["seat"]
            self.thrown[seat] = self.hands[seat]
            self.hands[seat] = self._from_hidden(event["private"][str(seat)]["hand"])
        elif kind == "announce" and event["move"] == "fold":
            self.thrown[event["seat"]], self.hands[event["seat"]] = self.hands[event["seat"]], []
        elif kind == "card":
            take_out(self.hands[event["seat"]], event["card"], f"the hand of seat {event['seat']}")
            self.table.append(event["card"])
        elif kind == "deal_over" and event["miss"]:
            self.table += self._from_hidden(event["miss"])

    def _from_hidden(self, cards: Sequence[str]) -> list[str]:
        for card in cards:
            take_out(self.hidden, card, "the stock")
        return list(cards)

    def agree(self, views: Mapping[Seat | None, dict[str, Any]]) -> None:
        """Every seat sees its own hand and what it threw away; a watcher sees neither."""
        for seat, hand in self.hands.items():
            demand(sorted(views[seat]["hand"]) == sorted(hand), f"seat {seat} sees another hand")
            demand(sorted(views[seat]["thrown"]) == sorted(self.thrown[seat]), "another thrown hand")
        watcher = views[None]
        demand(watcher["hand"] is None and watcher["thrown"] is None, "a watcher has a hand")
        shown = [card for trick in watcher["tricks"] for _, card in trick["cards"]]
        shown += [watcher["turn_up"], *(watcher["miss_cards"] or [])]
        demand(sorted(shown) == sorted(self.table), "the table shows other cards than were played")

    def everywhere(self) -> list[str]:
        """Return all cards."""
        piles = [self.hidden, self.table, *self.hands.values(), *self.thrown.values()]
        return [card for pile in piles for card in pile]

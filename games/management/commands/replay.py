"""``manage.py replay FILE``: play the record of a deal again, by the rules."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.management.files import add_deal_argument, read_archived, read_file
from games.management.texts import complaint, event_line, seat_table
from games.rules.errors import Refusal
from games.rules.interface import CHANCE
from games.rules.record import Record, Replay, read_record, replay


class Command(BaseCommand):
    """Exit code 0: every move is legal; 1: one is not, with the reason; 2: no record, with one line."""

    help = "Replay the record of a deal: print its events and outcome, or the first illegal move."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the record as JSON; - reads standard input")
        add_deal_argument(parser)
        parser.add_argument("--json", action="store_true", help="print JSON for programs")
        parser.add_argument(
            "--legal", action="store_true", help="print who is on turn and the legal moves instead"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["deal"] is None:
                record = read_record(read_file(options["file"]))
            else:
                record, _proof = read_archived(options["file"], options["deal"])
            played = replay(record)
        except Refusal as error:
            self.stderr.write(complaint(f"{options['file']}: {error.detail}"))
            sys.exit(2)
        if options["legal"] and played.refused is None:
            self._print_legal(record, played, options["json"])
        elif not options["legal"]:
            self._print_deal(record, played, options["json"])
        if played.refused is not None:
            self.stderr.write(complaint(str(played.refused)))
            sys.exit(1)

    def _print_deal(self, record: Record, played: Replay, as_json: bool) -> None:
        outcome = record.rules.outcome_json(played.final)
        if as_json:
            self.stdout.write(json.dumps({"events": played.all_events, "outcome": outcome}))
            return
        for number, events in enumerate(played.events):
            seat = record.rules.actor(played.states[number - 1]) if number else None
            who = f"seat {seat}" if seat else "shuffler"
            self.stdout.write(f"move {number}, {who}: {record.moves[number - 1]}" if number else "dealing")
            for event in events:
                self.stdout.write(f"  {event_line(event)}")
        self.stdout.write("outcome" if outcome else "the deal is not over")
        for line in seat_table(outcome or {}, record.seats):
            self.stdout.write(f"  {line}")

    def _print_legal(self, record: Record, played: Replay, as_json: bool) -> None:
        game = record.rules
        seat = game.actor(played.final)
        legal = game.legal_moves(played.final)
        refused = game.refusals(played.final) if seat else {}
        if as_json:
            answer: dict[str, Any] = {"seat": seat, "legal": list(legal), "refused": refused}
            if seat == CHANCE:
                answer["to_shuffle"] = list(game.to_shuffle(played.final))
            self.stdout.write(json.dumps(answer))
        elif seat is None:
            self.stdout.write("the deal is over: nobody is on turn")
        elif seat == CHANCE:
            cards = " ".join(game.to_shuffle(played.final))
            self.stdout.write(f"a reshuffle is due: 'shuffle' and these cards in their new order: {cards}")
        else:
            self.stdout.write(f"seat {seat} is on turn")
            for move in legal:
                self.stdout.write(f"  {move}")
            for move, code in refused.items():
                self.stdout.write(f"  not {move}: {code.replace('_', ' ')}")

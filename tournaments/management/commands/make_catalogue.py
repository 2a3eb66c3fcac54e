"""Make the catalogue of seatings from its recipes, or check the shipped one."""

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.rules import catalogue
from tournaments.rules.catalogue import Entry
from tournaments.rules.recipes import RECIPES, Recipe, make

HEADER = (
    "# Seatings for cases in which a search of a second falls short. Made by `manage.py make_catalogue`.\n"
    "# One entry: players tables rounds Q recipe; then a line a round with the table of every player.\n"
)


class Command(BaseCommand):
    help = (
        "Make the entries that are missing from the catalogue, check every entry and write the file."
        " The same recipe always makes the same entry."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="check the shipped file and write nothing")
        parser.add_argument("--all", action="store_true", help="make every entry anew (more than an hour)")
        parser.add_argument(
            "--only", metavar="PLAYERSxTABLESxROUNDS", help="make this entry anew and compare"
        )
        parser.add_argument("--to", default=None, help="write to this file instead of the shipped one")

    def handle(self, *args: Any, **options: Any) -> None:
        shipped = {_key(entry): entry for entry in catalogue.load()}
        if options["check"]:
            self._check(shipped)
            return
        path = Path(options["to"] or Path(catalogue.__file__).with_name("catalogue.txt"))
        entries: list[Entry] = []
        for recipe in RECIPES:
            old = shipped.get((recipe.players, recipe.tables, recipe.rounds, recipe.text))
            entry = old
            if old is None or options["all"] or options["only"] == _name(recipe):
                started = time.process_time()
                entry = make(recipe, entries)
                same = "" if old is None else ", as shipped" if old == entry else ", NOT as shipped"
                self._tell(f"{_name(recipe)}: Q {entry.q}, {time.process_time() - started:.1f} s{same}")
            assert entry is not None
            entries.append(entry)
            if entry is not old:
                # What took long is kept when the command is stopped: the next run goes on from here.
                made = {_key(each) for each in entries}
                rest = [each for key, each in shipped.items() if key not in made]
                path.write_text(HEADER + catalogue.dump([*entries, *rest]), encoding="ascii")
        self._check({_key(entry): entry for entry in entries})
        path.write_text(HEADER + catalogue.dump(entries), encoding="ascii")

    def _tell(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _check(self, entries: dict[tuple[int, int, int, str], Entry]) -> None:
        """Check every entry and that each recipe has one; raises ``CommandError``."""
        wanted = {(recipe.players, recipe.tables, recipe.rounds, recipe.text) for recipe in RECIPES}
        faults = [f"{key}: {fault}" for key, entry in entries.items() if (fault := catalogue.check(entry))]
        faults += [f"{key}: no recipe" for key in entries.keys() - wanted]
        faults += [f"{key}: no entry" for key in wanted - entries.keys()]
        if faults:
            raise CommandError("the catalogue is wrong: " + "; ".join(sorted(faults)))
        self._tell(f"{len(entries)} entries checked: sizes, visits to larger tables and Q are as claimed")


def _key(entry: Entry) -> tuple[int, int, int, str]:
    return (entry.players, entry.tables, entry.rounds, entry.recipe)


def _name(recipe: Recipe) -> str:
    return f"{recipe.players}x{recipe.tables}x{recipe.rounds}"

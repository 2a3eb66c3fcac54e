"""Both embedded engines together, as the server and the test runner start them."""

from __future__ import annotations

from pathlib import Path

from config.embedded import write_addresses
from config.engines.place import choose_place
from config.engines.postgres import OWNER, SITE, Postgres
from config.engines.programs import find_programs
from config.engines.valkey import Valkey


class Engines:
    """The engines of the site whose folder is `var`; a server given by its address is not started."""

    def __init__(
        self,
        var: Path,
        *,
        postgres: bool = True,
        valkey: bool = True,
        engine_user: str = "nobody",
        throw_away: bool = False,
    ) -> None:
        self.var = var
        self.place = choose_place(var, engine_user=engine_user)
        programs = find_programs(self.place)
        self.postgres = (
            Postgres(self.place, programs, var / "passwords", throw_away=throw_away) if postgres else None
        )
        self.valkey = Valkey(self.place, programs, throw_away=throw_away) if valkey else None

    def start(self) -> dict[str, str]:
        """Start the engines and return their addresses, which are also left in `var` for other commands.

        Raises Trouble; then neither engine is left running.
        """
        addresses = {}
        try:
            if self.postgres:
                self.postgres.start()
                addresses["DATABASE_URL"] = self.postgres.url(SITE)
                addresses["DATABASE_OWNER_URL"] = self.postgres.url(OWNER)
            if self.valkey:
                self.valkey.start()
                addresses["REDIS_URL"] = self.valkey.url
        except BaseException:
            self.stop()
            raise
        write_addresses(self.var, addresses)
        return addresses

    def stop(self) -> None:
        """Stop what was started."""
        for engine in (self.valkey, self.postgres):
            if engine:
                engine.stop()

    def restart_what_died(self) -> list[str]:
        """Start again whichever engine ended by itself; return their names."""
        revived = []
        for engine in (self.postgres, self.valkey):
            if engine and engine.process and engine.process.poll() is not None:
                engine.process = None
                engine.start()
                revived.append(type(engine).__name__)
        return revived

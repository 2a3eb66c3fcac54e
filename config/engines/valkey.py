"""The embedded Valkey: messages between processes, Celery's queues and the cache, behind a unix socket."""

from __future__ import annotations

import signal
import socket
import subprocess
from pathlib import Path

from config.embedded import redis_url
from config.engines.place import Place
from config.engines.processes import end, spawn, tail, wait_until, working_in
from config.engines.programs import Programs
from config.trouble import Trouble

# Nothing is ever thrown out to make room (queues are not a cache). A snapshot now and then brings the queues over a
# restart; what it misses is found again in the database. A failed snapshot must neither stop a game
# nor keep the server from ending.
SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "daemonize": "no",
    "databases": "16",
    "maxmemory-policy": "noeviction",
    "appendonly": "no",
    "save": "60 1000 300 1",
    "stop-writes-on-bgsave-error": "no",
    "shutdown-on-sigterm": "force",
    "loglevel": "warning",
}


class Valkey:
    """The server on `place.valkey`."""

    def __init__(self, place: Place, programs: Programs, *, throw_away: bool = False) -> None:
        self.place = place
        self.programs = programs
        self.settings = SETTINGS | ({"save": ""} if throw_away else {})
        self.log = place.data / "valkey.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path:
        """The unix socket of the server."""
        return self.place.sockets / "valkey.sock"

    @property
    def url(self) -> str:
        """The address of database 0."""
        return redis_url(self.socket)

    def start(self) -> None:
        """Start the server and return when it answers. Raises Trouble when it does not."""
        self._put_away_the_last_one()
        before = self.log.stat().st_size if self.log.exists() else 0
        command = [str(self.programs.valkey)]
        for name, value in {"dir": self.place.valkey, "unixsocket": self.socket, **self.settings}.items():
            command += [f"--{name}", str(value)]
        process = spawn(
            command, folder=self.place.valkey, log=self.log, account=self.place.account, stop=signal.SIGTERM
        )
        self.process = process
        wait_until(lambda: self._answers() or process.poll() is not None, seconds=30)
        if self._answers():
            return
        self.stop()
        said = tail(self.log, before)
        if "No space left on device" in said:
            raise Trouble(
                f"The disk is full: Valkey could not write to {self.place.valkey}. Make room and start again."
            )
        reason = (said.strip().splitlines() or ["it said nothing"])[-1]
        raise Trouble(f"Valkey did not start: {reason} (its log: {self.log})")

    def stop(self) -> None:
        """Stop the server; it writes a last snapshot."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def _put_away_the_last_one(self) -> None:
        """Stop what an earlier, killed server left running on the data folder, and remove its socket."""
        left = working_in(self.place.valkey, "valkey-server")
        if left and not end(left, (signal.SIGTERM, 10), (signal.SIGKILL, 5)):
            raise Trouble(f"Valkey (process {left[0].pid}) still runs on {self.place.valkey}: stop it first.")
        self.socket.unlink(missing_ok=True)

    def _answers(self) -> bool:
        """Return whether the server answers a PING; while it loads a snapshot it does not."""
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(1)
                line.connect(str(self.socket))
                line.sendall(b"PING\r\n")
                return line.recv(64).startswith(b"+PONG")
        except OSError:
            return False

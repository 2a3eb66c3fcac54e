"""The site's processes and how each is run: `python -m config.process NAME`.

`script/server` starts one of each; more of any of them may run anywhere, against the same PostgreSQL and Redis.
Each replaces this small program, so that only the process itself stays in memory.
"""

from __future__ import annotations

import os
import signal
import sys

from config.engines.processes import end_with_parent

WEB = "web"
# Set for processes that script/server started; its value is the site's folder `var`.
SUPERVISED_FOR = "SUPERVISED_FOR"
# Tasks that a worker runs at once. Bots think, which more threads would not speed up.
WORKERS = {"clock": 4, "bots": 2, "default": 2}
BEAT = "beat"
NAMES = (WEB, *WORKERS, BEAT)


def command(name: str, *, host: str = "127.0.0.1", port: str = "8000") -> list[str]:
    """Return the command line of the process `name`, to be run in the project's folder."""
    if name == WEB:
        return [sys.executable, "-m", "uvicorn", "config.asgi:application", *_uvicorn(host, port)]
    if name == BEAT:
        return [sys.executable, "-m", "config.beat"]
    if name in WORKERS:
        return [sys.executable, "-m", "config.worker", name, str(WORKERS[name])]
    raise SystemExit(f"There is no process {name!r}: choose one of {', '.join(NAMES)}.")


def _uvicorn(host: str, port: str) -> list[str]:
    """Return uvicorn's options: no compression of socket frames (half the memory), small frames, 10 s to finish."""
    sockets = ["--ws-per-message-deflate", "false", "--ws-max-size", "16384"]
    return [
        "--host",
        host,
        "--port",
        port,
        *sockets,
        "--timeout-graceful-shutdown",
        "10",
        "--lifespan",
        "off",
        "--no-access-log",
    ]


def main() -> None:
    """Become the process named on the command line; end when the parent does, if a server started it."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    line = command(name, host=os.environ.get("HOST", "127.0.0.1"), port=os.environ.get("PORT", "8000"))
    os.environ["PROCESS_NAME"] = name
    # Celery warns each worker of root, for the sake of pickled tasks; here tasks are JSON, and the server says it once.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:You're running the worker with superuser privileges")
    if SUPERVISED_FOR in os.environ:
        end_with_parent(signal.SIGTERM, parent=os.getppid())
    os.execv(line[0], line)


if __name__ == "__main__":
    main()

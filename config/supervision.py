"""supervisord for the site's processes: it starts them, restarts what dies and stops them together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import psutil

from config.embedded import write_private
from config.engines.processes import end, end_with_parent
from config.process import NAMES, SUPERVISED_FOR

# uvicorn lets requests finish for 10 s, a worker its tasks; script/server must be gone 20 s after it is told to stop.
STOP_SECONDS = 12


def start(project: Path, var: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start supervisord and with it every process of the site; its output comes through the returned pipe."""
    settings = var / "supervisord.conf"
    write_private(settings, _settings(project, var))
    return subprocess.Popen(
        [sys.executable, "-m", "supervisor.supervisord", "--nodaemon", "--configuration", str(settings)],
        cwd=project,
        env=environment | {SUPERVISED_FOR: str(var)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        process_group=0,
        preexec_fn=partial(end_with_parent, signal.SIGTERM, parent=os.getpid()),
    )


def stop(supervisor: subprocess.Popen[bytes], var: Path) -> None:
    """Stop every process of the site, then supervisord; whatever is still there after that is killed."""
    supervisor.terminate()
    try:
        supervisor.wait(STOP_SECONDS + 3)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        supervisor.wait()
    end(left_over(var), (signal.SIGKILL, 2))


def left_over(var: Path) -> list[psutil.Process]:
    """Return the processes that a server on `var` started and that are still there, this one's children included."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(SUPERVISED_FOR) == str(var):
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def _settings(project: Path, var: Path) -> str:
    """Return supervisord's settings; it takes % for the start of a variable and reads commands as a shell does."""
    general: dict[str, object] = {
        "nodaemon": "true",
        "user": "root" if os.geteuid() == 0 else "",
        "logfile": "/dev/null",
        "logfile_maxbytes": "0",
        "loglevel": "warn",
        "pidfile": var / "supervisord.pid",
        "childlogdir": var,
        "identifier": "cardclub",
    }
    each: dict[str, object] = {
        "directory": project,
        "startsecs": "3",
        "startretries": "1000000",
        "autorestart": "true",
        "stopsignal": "TERM",
        "stopwaitsecs": STOP_SECONDS,
        "killasgroup": "true",
        "redirect_stderr": "true",
        "stdout_logfile": "/dev/fd/1",
        "stdout_logfile_maxbytes": "0",
    }
    sections: list[tuple[str, dict[str, object]]] = [
        ("supervisord", general),
        ("group:site", {"programs": ",".join(NAMES)}),
    ]
    sections += [
        (f"program:{name}", {"command": f'"{sys.executable}" -m config.process {name}', **each})
        for name in NAMES
    ]
    return "\n".join(_section(title, values) for title, values in sections)


def _section(title: str, values: dict[str, object]) -> str:
    lines = [f"{key} = {str(value).replace('%', '%%')}" for key, value in values.items() if value != ""]
    return "\n".join([f"[{title}]", *lines, ""])

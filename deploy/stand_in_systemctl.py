#!/usr/bin/env python3
"""What systemctl does for docs/operations.md, on a machine where systemd does not run.

It reads the same unit files in /etc/systemd/system and runs what their ExecStart lines say, as their user, in their
folder, with their environment. It watches over nothing: what dies stays dead. Used by deploy/try_operations.py.
"""

from __future__ import annotations

import json
import os
import pwd
import shlex
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

UNITS = Path("/etc/systemd/system")
STATE = Path(os.environ["STAND_IN_FOLDER"])
STOP_SECONDS = 20

Unit = dict[str, list[str]]


def main(arguments: list[str]) -> int:
    """Do one command; what it does not know is an error, so that no step of the manual is passed over."""
    verb, names = arguments[0], [each for each in arguments[1:] if not each.startswith("--")]
    if verb == "daemon-reload":
        return 0
    act = {
        "enable": start if "--now" in arguments else print,
        "start": start,
        "stop": stop,
        "reload": reload,
    }[verb]
    for name in names:
        act(name)
    return 0


def read(name: str) -> Unit:
    """Return the settings of a unit; of a template, with %i replaced."""
    stem, at, rest = name.partition("@")
    path = UNITS / (f"{stem}@.service" if at else name)
    instance = rest.removesuffix(".service")
    found: Unit = defaultdict(list)
    for line in path.read_text().splitlines():
        key, is_setting, value = line.partition("=")
        if is_setting and not line.startswith(("#", ";", "[")):
            found[key].append(value.replace("%i", instance).replace("%%", "%"))
    return found


def start(name: str) -> None:
    """Start a unit, or what a target wants."""
    if name in DEBIAN:
        subprocess.run(DEBIAN[name], check=False, shell=True)
        return
    name = name if "." in name else f"{name}.service"
    if name.endswith(".timer"):
        return
    unit = read(name)
    if name.endswith(".target"):
        for wanted in " ".join(unit["Wants"]).split():
            start(wanted)
        return
    if not alive(name):
        run(name, unit)


def run(name: str, unit: Unit) -> None:
    """Run ExecStart in the background and note its number."""
    user = pwd.getpwnam(unit["User"][0])
    with (STATE / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            shlex.split(unit["ExecStart"][0]),
            cwd=unit["WorkingDirectory"][0],
            env=environment(unit),
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (STATE / f"{name}.pid").write_text(json.dumps(process.pid))


def environment(unit: Unit) -> dict[str, str]:
    """Return what systemd would give the process, and nothing of this one's."""
    found = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    for file in unit["EnvironmentFile"]:
        lines = [line for line in Path(file).read_text().splitlines() if "=" in line]
        found.update(line.split("=", 1) for line in lines)
    for pairs in unit["Environment"]:
        found.update(pair.split("=", 1) for pair in shlex.split(pairs))
    return found


def alive(name: str) -> int:
    """Return the number of the unit's process, 0 when it has none."""
    note = STATE / f"{name}.pid"
    pid = int(note.read_text()) if note.exists() else 0
    state = Path(f"/proc/{pid}/stat")
    return pid if pid and state.exists() and state.read_text().split()[2] != "Z" else 0


def stop(name: str) -> None:
    """Stop a unit, or all that a target wants, as systemd does: SIGTERM to all at once, SIGKILL to what stays."""
    units = " ".join(read(name)["Wants"]).split() if name.endswith(".target") else [name]
    going = [pid for unit in units if (pid := alive(unit))]
    for number, patience in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, 5)):
        for pid in going:
            os.kill(pid, number)
        deadline = time.monotonic() + patience
        while going and time.monotonic() < deadline:
            time.sleep(0.1)
            going = [unit_pid for unit in units if (unit_pid := alive(unit))]


def reload(name: str) -> None:
    """Let Caddy read its file again."""
    subprocess.run(DEBIAN[f"{name} reload"], check=True, shell=True)


DEBIAN = {
    "postgresql": "pg_ctlcluster $(pg_lsclusters --no-header | awk '$2 == \"main\" {print $1, $2}') start",
    "redis-server": f"redis-server --daemonize yes --bind 127.0.0.1 --save '' --dir {STATE} --pidfile {STATE}/redis.pid",
    "caddy": f"HOME={STATE} caddy start --config /etc/caddy/Caddyfile --pidfile {STATE}/caddy.pid > {STATE}/caddy.log 2>&1",
    "caddy reload": f"HOME={STATE} caddy reload --config /etc/caddy/Caddyfile >> {STATE}/caddy.log 2>&1",
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Does what docs/operations.md says, literally, and looks whether it is true. For a machine that is thrown away.

    python3 deploy/try_operations.py [--from COMMIT] [--to COMMIT] [--keep]

Run as root on Debian. The shell blocks of the sections Install, Upgrade and Roll back are taken from the manual and run
in one shell, with the three values that one is told to write oneself. Where systemd does not run, `systemctl` is
deploy/stand_in_systemctl.py. The site is installed in the version `--from` (default: the commit before this one); a
table is opened at which two bots play; then the site is upgraded to `--to` (default: this commit). The log of the
table must have no gap and the match must come to its end, the ledger must verify, the doctor must find no failure,
and the page must come through Caddy with TLS. Exit 1 with the step that failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
MANUAL = PROJECT / "docs" / "operations.md"
SITE_NAME = "club.localhost"
MANAGE = "/srv/cardclub/current/deploy/manage"
MATCH_SECONDS = 600
GIT_PORT = 9419

OPEN_TABLE = """
from games.services import open_table
table = open_table(game="least_score", options={"threshold": 100}, clock="club", members={},
    bots={1: "steady", 2: "random"}, opened_by=None, pace_ms=8000, bot_think_ms=6000)
print("TABLE", table.id)
"""
LOOK = """
import json
from games.models import LogEntry, Table
table = Table.objects.get(pk="{table}")
versions = list(LogEntry.objects.filter(table=table).order_by("version").values_list("version", flat=True))
print("LOOK", json.dumps({{"status": table.status, "version": table.version, "whole": versions == list(range(1, len(versions) + 1))}}))
"""

HURRY = """
from games.models import Table
Table.objects.filter(pk="{table}").update(pace_ms=500, bot_think_ms=100)
"""


def main() -> int:
    """Try everything; whatever was started or made is taken away again, unless it is to be kept."""
    options = _options()
    if os.geteuid() != 0:
        raise SystemExit("This installs a site: run it as root, on a machine that is thrown away.")
    folder = Path(tempfile.mkdtemp(prefix="cardclub-operations-"))
    folder.chmod(0o755)
    trial = Trial(folder, options)
    try:
        trial.install()
        table = trial.open_table()
        trial.upgrade(table)
        trial.roll_back(table)
        trial.see_to_the_end(table)
        print("All of docs/operations.md is true.")
        return 0
    finally:
        if not options.keep:
            trial.take_away()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="before", default="HEAD~1", help="the version that is installed first")
    parser.add_argument("--to", dest="after", default="HEAD", help="the version that it is upgraded to")
    parser.add_argument("--keep", action="store_true", help="leave the site running")
    return parser.parse_args()


def blocks(section: str) -> list[str]:
    """Return the shell blocks of a section of the manual, in their order."""
    text = MANUAL.read_text()
    inside = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if inside is None:
        raise SystemExit(f"The manual has no section {section}.")
    return re.findall(r"^```sh\n(.*?)^```$", inside[1], re.MULTILINE | re.DOTALL)


class Trial:
    """One run through the manual, in one shell."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.folder = folder
        self.versions = {name: _commit(getattr(options, name)) for name in ("before", "after")}
        self.repository = folder / "repository.git"
        _run(["git", "clone", "--quiet", "--bare", str(PROJECT), str(self.repository)])
        for name, commit in self.versions.items():
            _run(["git", "-C", str(self.repository), "branch", "--force", f"trial-{name}", commit])
        # Over the network, as everybody else: git trusts no folder of another user.
        self.served = subprocess.Popen(
            [
                "git",
                "daemon",
                "--reuseaddr",
                "--listen=127.0.0.1",
                f"--port={GIT_PORT}",
                "--export-all",
                f"--base-path={folder}",
                str(folder),
            ]
        )
        self.shell = subprocess.Popen(
            ["/bin/bash", "-s"],
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _environment(self) -> dict[str, str]:
        """A root's clean environment; where systemd does not run, with the stand-in before all other programs."""
        programs = self.folder / "bin"
        programs.mkdir()
        if not Path("/run/systemd/system").exists():
            stand_in = programs / "systemctl"
            shutil.copy(PROJECT / "deploy" / "stand_in_systemctl.py", stand_in)
            stand_in.chmod(0o755)
        kept = {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("PIP_", "HTTP", "http", "SSL"))
        }
        return {
            **kept,
            "PATH": f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
            "STAND_IN_FOLDER": str(self.folder),
        }

    def do(self, text: str) -> str:
        """Run `text` in the shell as it stands; returns what it printed. A step that fails ends the trial."""
        assert self.shell.stdin is not None and self.shell.stdout is not None
        print("".join(f"  | {line}\n" for line in text.strip().splitlines()), end="", flush=True)
        script = self.folder / "step"
        script.write_text(f"set -e\n{text}\nset +e\n")
        self.shell.stdin.write(f". {shlex.quote(str(script))} 2>&1; echo; echo DONE\n")
        self.shell.stdin.flush()
        said = []
        for line in self.shell.stdout:
            if line == "DONE\n":
                return "".join(said)
            said.append(line)
        raise SystemExit(f"This step failed:\n{text}\n{''.join(said)}")

    def follow(self, section: str, **values: str) -> None:
        """Do all blocks of a section; in the first one stand the values that everybody writes for himself."""
        print(f"# {section}", flush=True)
        for number, block in enumerate(blocks(section)):
            if number == 0:
                for name, value in values.items():
                    block, found = re.subn(rf"^{name}=.*$", f"{name}={value}", block, flags=re.MULTILINE)
                    if found != 1:
                        raise SystemExit(f"The first block of {section} does not set {name}.")
            began = time.monotonic()
            self.do(block)
            print(f"    {time.monotonic() - began:.0f} s", flush=True)

    # --- What is tried ---
    def install(self) -> None:
        """Install the first version, and come to its page as people do."""
        self.follow(
            "Install",
            REPOSITORY=f"git://127.0.0.1:{GIT_PORT}/{self.repository.name}",
            VERSION="trial-before",
            SITE_NAME=SITE_NAME,
        )
        self._page()

    def _page(self) -> None:
        said = self.do(
            f"curl --silent --insecure --resolve {SITE_NAME}:443:127.0.0.1 --output /dev/null"
            f" --write-out '%{{http_code}}' https://{SITE_NAME}/"
        )
        if said.strip() != "200":
            raise SystemExit(f"The page does not come through the proxy: {said}")

    def open_table(self) -> str:
        """Let two bots play; returns the table's number once they have moved."""
        said = self.do(f"{MANAGE} shell -v 0 -c {shlex.quote(OPEN_TABLE)}")
        table = re.search(r"TABLE (\S+)", said)
        if table is None:
            raise SystemExit(f"No table was opened: {said}")
        self._wait(table[1], lambda seen: seen["version"] >= 8)
        return table[1]

    def look(self, table: str) -> dict[str, object]:
        """Return how the table stands."""
        said = self.do(f"{MANAGE} shell -v 0 -c {shlex.quote(LOOK.format(table=table))}")
        found: dict[str, object] = json.loads(re.search(r"LOOK (.*)", said)[1])  # type: ignore[index]
        return found

    def _wait(self, table: str, wanted) -> dict[str, object]:  # type: ignore[no-untyped-def]
        deadline = time.monotonic() + MATCH_SECONDS
        while not wanted(seen := self.look(table)):
            if time.monotonic() > deadline:
                raise SystemExit(f"The table does not go on: {seen}")
            time.sleep(2)
        return seen

    def upgrade(self, table: str) -> None:
        """Upgrade while the bots play; they go on, and no version of the table is missing."""
        before = self.look(table)
        self.follow("Upgrade", VERSION="trial-after")
        self._gone_on(table, before)

    def roll_back(self, table: str) -> None:
        """Roll back and forth again, if both versions have the same migrations."""
        there = [
            set(_said(["git", "ls-tree", "-r", "--name-only", commit, "--", PROJECT.as_posix()]).splitlines())
            for commit in self.versions.values()
        ]
        if len({frozenset(path for path in paths if "/migrations/" in path) for paths in there}) > 1:
            print("# Roll back: left out, the versions have different migrations")
            return
        before = self.look(table)
        self.follow("Roll back")
        self._gone_on(table, before)

    def _gone_on(self, table: str, before: dict[str, object]) -> None:
        if before["status"] == "finished":
            raise SystemExit("The match was over before the change: nothing was tried.")
        seen = self._wait(table, lambda now: now["version"] > before["version"] + 4)
        print(f"    the table went on from version {before['version']} to {seen['version']}")
        if not seen["whole"]:
            raise SystemExit(f"The table's log has a gap: {seen}")
        self._page()

    def see_to_the_end(self, table: str) -> None:
        """The bots think no longer, the match ends, nothing of it is missing, and the ledger is in order."""
        self.do(f"{MANAGE} shell -v 0 -c {shlex.quote(HURRY.format(table=table))}")
        seen = self._wait(table, lambda now: now["status"] == "finished")
        if not seen["whole"]:
            raise SystemExit(f"The table's log has a gap: {seen}")
        print(f"    the match ended at version {seen['version']}")
        self.do(f"{MANAGE} verify_ledger")
        self.do(f"{MANAGE} doctor")

    def take_away(self) -> None:
        """Stop and remove everything that was installed, but no package."""
        if self.shell.poll() is None:
            self.shell.kill()
        self.served.terminate()
        environment = self._environment_of_now()
        for command in (
            "systemctl stop cardclub.target",
            "rm -f /etc/systemd/system/cardclub*",
            "runuser -u postgres -- psql -q -c 'DROP DATABASE IF EXISTS cardclub WITH (FORCE)'",
            "runuser -u postgres -- psql -q -c 'DROP ROLE IF EXISTS cardclub_owner, cardclub_site'",
            "rm -rf /srv/cardclub /var/lib/cardclub /etc/cardclub",
            "userdel cardclub",
        ):
            subprocess.run(["/bin/bash", "-c", command], env=environment, check=False, capture_output=True)
        for name in ("redis", "caddy"):
            note = self.folder / f"{name}.pid"
            if note.exists():
                os.kill(int(note.read_text()), signal.SIGTERM)
        if (self.folder / "bin" / "systemctl").exists():
            stop = "pg_ctlcluster $(pg_lsclusters --no-header | awk '$2 == \"main\" {print $1, $2}') stop --mode=fast"
            subprocess.run(["/bin/bash", "-c", stop], check=False, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _environment_of_now(self) -> dict[str, str]:
        path = f"{self.folder / 'bin'}:/usr/sbin:/usr/bin:/sbin:/bin"
        return {"PATH": path, "STAND_IN_FOLDER": str(self.folder)}


def _commit(name: str) -> str:
    return _said(["git", "rev-parse", f"{name}^{{commit}}"]).strip()


def _said(command: list[str]) -> str:
    return subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True).stdout


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())

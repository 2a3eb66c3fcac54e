"""Every check of the project, on engines of its own that are thrown away afterwards. Run by `script/test`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

from config.engines.postgres import OWNER
from config.engines.running import Engines
from config.trouble import Trouble
from script.prepared import PREPARED, copy, prepare

PROJECT = Path(__file__).resolve().parent.parent
APPS = ["config", "clubs", "ledger", "games", "tournaments"]
BIN = Path(sys.executable).parent
# The shell first: a window nobody sees costs a browser more than half of its work.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# Where Linux keeps files in memory, and how much must be free: databases of a whole run take about 1 GB.
MEMORY = Path("/dev/shm")
ROOM = 3_000_000_000
# Where the kernel says how much memory the processes of a container may use.
LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))

LONG = (
    "tests/browser/test_axe.py",
    "tests/browser/test_evening.py",
    "tests/browser/test_audit_walk.py",
    "tests/browser/test_clubs.py",
    "tests/browser/test_play.py",
    "tests/browser/test_together.py",
    "tests/browser/test_keyboard.py",
)
"""Files to begin with, so that no core waits at the end for one of them."""


def main(arguments: list[str]) -> int:
    """Run pytest with `arguments`, or every check when there are none; return 0 when all is well."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Folders that root makes must let the engines' user pass through, whatever this shell makes of new files.
    os.umask(0o022)
    try:
        # For a few tests it takes longer to set a site up than they save by it.
        with engines(prepared=not arguments) as environment:
            if arguments:
                return run(pytest(*arguments), environment)
            return everything(environment)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1


@contextmanager
def engines(*, prepared: bool = False) -> Iterator[dict[str, str]]:
    """Fresh PostgreSQL and Valkey in a temporary folder; yields the environment that names them.

    With ``prepared`` it names the folder of a site that is set up, too, and PostgreSQL holds its database.
    """
    folder = Path(tempfile.mkdtemp(prefix=_prefix(os.getpid()), dir=in_memory()))
    # Started by root, the engines run as somebody else, who must be able to pass through.
    folder.chmod(0o711)
    # Compiled modules are kept whatever this shell says: hundreds of processes start here, each with all of them.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    servers = None
    try:
        if prepared:
            inherited[PREPARED] = str(folder / "prepared")
            prepare(folder / "prepared", inherited)
            copy(folder / "prepared", folder / "var")
        servers = Engines(folder / "var", throw_away=True)
        servers.start()
        assert servers.postgres and servers.valkey
        yield inherited | {
            "DATABASE_URL": servers.postgres.url(OWNER, "postgres"),
            "DATABASE_OWNER_URL": "",
            "REDIS_URL": servers.valkey.url,
            "SECRET_KEY": "only for tests, and long enough for every algorithm",
            "VAR_DIR": str(folder / "site"),
        }
    finally:
        if servers:
            servers.stop()
            shutil.rmtree(servers.place.data, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def in_memory() -> Path | None:
    """Return a folder that lies in memory, None where there is none or too little room in it.

    A test that commits has a copy of the database, 800 files, and throws it away. A disk's ext4 searches long for
    numbers of new files when many were just removed: that was nine tenths of such a copy.
    """
    # Programs that the engines' user could not reach elsewhere are run from there.
    if not os.access(MEMORY, os.W_OK) or os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        return None
    # What a run that was killed left there would stay in memory until the machine starts anew.
    for left in MEMORY.glob(f"{_prefix('*')}*"):
        process = left.name.split("-")[2]
        if process.isdecimal() and not psutil.pid_exists(int(process)):
            shutil.rmtree(left, ignore_errors=True)
    room = min(shutil.disk_usage(MEMORY).free, psutil.virtual_memory().available, _allowed() // 2)
    return MEMORY if room >= ROOM else None


def _allowed() -> int:
    """Return how many bytes this container may use, of which files in memory are a part: a number above any when it says none."""
    for limit in LIMITS:
        with suppress(OSError, ValueError):  # There is no such file, or it says `max`.
            return int(limit.read_text())
    return 2**63


def _prefix(process: int | str) -> str:
    return f"cardclub-test-{process}-"


def everything(environment: dict[str, str]) -> int:
    """Run all steps, whatever fails; say at the end which did."""
    strict = bool(environment.get("CI") or environment.get("REQUIRE_BROWSER"))
    failed = run_side_by_side(dict(static_checks(strict)), environment)
    # Tests of whole servers mostly wait and leave the cores to the others. Those of faults share a site, and so a process.
    # The others wait a fifth of their time for the database, so that three processes fill two cores.
    servers = marked("servers")
    faults = [file for file in servers if file.startswith("tests/faults/")]
    together = {
        "tests": pytest(
            "-n", "3", "--dist", "worksteal", "-m", "not browser and not servers", "--ignore=tests/browser"
        ),
        "fault tests": pytest("-m", "servers", *faults),
        "server tests": pytest("-m", "servers", *(file for file in servers if file not in faults)),
    }
    failed += run_side_by_side(together, environment)
    if browser() or strict:
        # The tests of a file share people and tables, and so a process.
        by_file = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "-m", "browser"]
        if run(pytest(*by_file, *marked("browser")), environment):
            failed.append("browser tests")
    else:
        print("\n*** The browser tests were left out: no chromium is installed here. ***", flush=True)
    if failed:
        print(f"\nFAILED: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


def static_checks(strict: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield the checks that run nothing of the site but its imports."""
    yield "format", [str(BIN / "ruff"), "format", "--check", "."]
    yield "lint", [str(BIN / "ruff"), "check", "."]
    yield "import contracts", [str(BIN / "lint-imports")]
    yield "types", [str(BIN / "mypy"), *APPS]
    yield "migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]
    node = shutil.which("node")
    found = [path.relative_to(PROJECT) for path in (PROJECT / "static").rglob("*.js")]
    scripts = sorted(str(path) for path in found if "vendor" not in path.parts)
    units = sorted(str(path.relative_to(PROJECT)) for path in (PROJECT / "tests").rglob("*.test.mjs"))
    if node or strict:
        # node looks at one file a call.
        each = 'for file in "$@"; do node --check "$file" || exit 1; done'
        yield "syntax of browser modules", ["sh", "-c", each, "sh", *scripts]
        if units:
            yield "browser modules", ["node", "--test", *units]
    elif scripts:
        print(
            "\n*** The checks of the browser modules were left out: no node is installed here. ***",
            flush=True,
        )


def pytest(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *arguments]


def marked(mark: str) -> list[str]:
    """Return the files of tests that bear a mark, those that take long first.

    Importing all others only to leave them out would take long.
    """
    found = (path for path in (PROJECT / "tests").rglob("test_*.py") if f"mark.{mark}" in path.read_text())
    files = sorted(str(path.relative_to(PROJECT)) for path in found)
    return sorted(files, key=lambda file: LONG.index(file) if file in LONG else len(LONG))


def browser() -> str | None:
    """Return the path of a Chromium, None when there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def run_side_by_side(commands: dict[str, list[str]], environment: dict[str, str]) -> list[str]:
    """Run checks at the same time and show the output of each when it is done; return the names of those that failed."""
    failed = []
    with ExitStack() as ends:
        said = {name: ends.enter_context(tempfile.TemporaryFile()) for name in commands}
        waiting = {
            name: subprocess.Popen(
                command, cwd=PROJECT, env=environment, stdout=said[name], stderr=subprocess.STDOUT
            )
            for name, command in commands.items()
        }
        for process in waiting.values():
            ends.callback(_end, process)
        print(f"\n--- side by side: {', '.join(commands)}", flush=True)
        while waiting:
            time.sleep(0.2)
            for name in [name for name, process in waiting.items() if process.poll() is not None]:
                print(f"\n--- {_shown(commands[name])}", flush=True)
                said[name].seek(0)
                print(said[name].read().decode(errors="replace"), end="", flush=True)
                if waiting.pop(name).returncode:
                    failed.append(name)
    return failed


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        process.wait()


def _shown(command: list[str]) -> str:
    return " ".join([Path(command[0]).name, *command[1:]])


def run(command: list[str], environment: dict[str, str]) -> int:
    """Run one check, saying which and how long it took; return its exit code."""
    print(f"\n--- {_shown(command)}", flush=True)
    started = time.monotonic()
    code = subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode
    if "pytest" not in command:
        print(f"--- {'ok' if code == 0 else 'FAILED'} in {time.monotonic() - started:.1f} s", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

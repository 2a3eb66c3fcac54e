"""The embedded PostgreSQL: one data folder, never two servers on it; two roles and one database."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from pathlib import Path

import psutil

from config.embedded import database_url
from config.engines.place import Place
from config.engines.processes import bare_environment, end, rights, spawn, tail, wait_until, working_in
from config.engines.programs import Programs
from config.keys import stored_secret_key
from config.trouble import Trouble

OWNER, SITE, DATABASE = "cardclub_owner", "cardclub_site", "cardclub"
LOG_LIMIT = 10_000_000

# Sized for a club on a small machine: no parallel queries, no replication, reads and writes done by the backends
# themselves. Durability is left at its safe defaults.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "max_parallel_workers": "0",
    "max_parallel_workers_per_gather": "0",
    "max_logical_replication_workers": "0",
    "autovacuum_max_workers": "2",
    "io_method": "sync",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
# For throw-away servers of tests: what a crash would lose is of no worth, and neither are the passwords, whose long
# computation is most of a connection's time.
THROW_AWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "scram_iterations": "1",
    "max_connections": "200",
}


class Postgres:
    """The server on `place.postgres`. `passwords` is the folder that keeps the roles' passwords."""

    def __init__(
        self, place: Place, programs: Programs, passwords: Path, *, throw_away: bool = False
    ) -> None:
        self.place = place
        self.programs = programs
        self.passwords = passwords
        self.throw_away = throw_away
        self.settings = SETTINGS | (THROW_AWAY if throw_away else {})
        self.log = place.data / "postgres.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, making its data folder first when there is none; return when it answers.

        Raises Trouble for what a person must put right: another version's data, a full disk, lost passwords.
        """
        if not (self.place.postgres / "PG_VERSION").exists():
            self._make_data_folder()
        self._check_version()
        self._put_away_the_last_one()
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".log.old"))
        self._run()
        self._ensure_roles()

    def stop(self) -> None:
        """Stop quickly and cleanly: running transactions are rolled back, everything committed is on disk."""
        if self.process is None:
            return
        for number, seconds in ((signal.SIGINT, 15), (signal.SIGQUIT, 5)):
            self.process.send_signal(number)
            try:
                self.process.wait(seconds)
                break
            except subprocess.TimeoutExpired:
                continue
        self.process = None

    def password(self, role: str) -> str:
        """Return the role's password, made at the first call."""
        return stored_secret_key(self.passwords / role)

    def url(self, role: str, database: str = DATABASE) -> str:
        """Return the address of `database` for `role`."""
        return database_url(
            user=role, password=self.password(role), name=database, host=str(self.place.sockets)
        )

    def _make_data_folder(self) -> None:
        """Make the data folder under another name first, so that an interrupted attempt is never taken for data."""
        if self.place.postgres.exists() and any(self.place.postgres.iterdir()):
            raise Trouble(f"{self.place.postgres} is not a data folder of PostgreSQL: move it away.")
        draft = self.place.data / "postgres.part"
        shutil.rmtree(draft, ignore_errors=True)
        secret = self.place.data / "postgres.password"
        secret.touch(mode=0o600)
        secret.write_text(self.password("postgres"))
        if self.place.account:
            shutil.chown(secret, self.place.account.uid, self.place.account.gid)
        command = [
            str(self.programs.initdb),
            "--pgdata",
            str(draft),
            "--username=postgres",
            f"--pwfile={secret}",
        ]
        command += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-instructions"]
        command += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        if self.throw_away:
            command.append("--no-sync")
        try:
            made = subprocess.run(
                command,
                cwd=self.place.data,
                env=bare_environment(),
                capture_output=True,
                text=True,
                check=False,
                **rights(self.place.account),
            )
        finally:
            secret.unlink()
        if made.returncode:
            raise self._trouble(made.stderr)
        if self.place.postgres.exists():
            self.place.postgres.rmdir()
        draft.rename(self.place.postgres)

    def _check_version(self) -> None:
        data = (self.place.postgres / "PG_VERSION").read_text().strip()
        said = subprocess.run(
            [str(self.programs.postgres), "--version"],
            cwd="/",
            capture_output=True,
            text=True,
            check=True,
            **rights(self.place.account),
        ).stdout
        ours = re.search(r"(\d+)", said)
        if ours is None or ours[1] != data:
            raise Trouble(
                f"The data in {self.place.postgres} were made by PostgreSQL {data}, and this is {said.strip()}: dump them "
                f"with version {data} and load the dump into a new folder (name it in VAR_DIR)."
            )

    def _put_away_the_last_one(self) -> None:
        """Stop what an earlier, killed server left running on the data folder, and its lock if it is a stranger's."""
        left = working_in(self.place.postgres, "postgres")
        head = self._recorded_pid()
        if head in {process.pid for process in left}:
            leader = [process for process in left if process.pid == head]
            end(leader, (signal.SIGINT, 15), (signal.SIGQUIT, 5))
        # Backends whose postmaster was killed notice it by themselves.
        left = working_in(self.place.postgres, "postgres")
        if left and not end(left, (signal.SIGQUIT, 5), (signal.SIGKILL, 5)):
            raise Trouble(
                f"PostgreSQL (process {left[0].pid}) still runs on {self.place.postgres}: stop it first."
            )
        if head is not None and psutil.pid_exists(head):
            # The number in the lock file now belongs to some other program, and PostgreSQL would wait for it.
            (self.place.postgres / "postmaster.pid").unlink(missing_ok=True)

    def _recorded_pid(self) -> int | None:
        try:
            return int((self.place.postgres / "postmaster.pid").read_text().split("\n", 1)[0])
        except (FileNotFoundError, ValueError):
            return None

    def _run(self) -> None:
        settings = [f"--{name}={value}" for name, value in self.settings.items()]
        folders = ["-D", str(self.place.postgres), "-k", str(self.place.sockets)]
        before = self.log.stat().st_size if self.log.exists() else 0
        process = spawn(
            [str(self.programs.postgres), *folders, *settings],
            folder=self.place.data,
            log=self.log,
            account=self.place.account,
            stop=signal.SIGINT,
        )
        self.process = process
        wait_until(lambda: self._ready(process.pid) or process.poll() is not None, seconds=60)
        if not self._ready(process.pid):
            self.stop()
            raise self._trouble(tail(self.log, before))

    def _ready(self, pid: int) -> bool:
        """Return whether the server with this number says in its lock file that it takes connections."""
        try:
            lines = (self.place.postgres / "postmaster.pid").read_text().split("\n")
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[0] == str(pid) and lines[7].strip() == "ready"

    def _ensure_roles(self) -> None:
        """Make the two roles and the database; set the passwords to those that the site will use."""
        roles = "".join(
            f"SELECT 'CREATE ROLE {role} LOGIN' WHERE to_regrole('{role}') IS NULL \\gexec\n"
            f"ALTER ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '{self.password(role)}';\n"
            for role in (OWNER, SITE)
        )
        database = (
            f"SELECT 'CREATE DATABASE {DATABASE} OWNER {OWNER}' "
            f"WHERE NOT EXISTS (SELECT 1 FROM pg_database WHERE datname = '{DATABASE}') \\gexec\n"
        )
        # Tests make and drop databases, and act as the site role.
        powers = (
            f"ALTER ROLE {OWNER} CREATEDB CREATEROLE;\n"
            f"GRANT {SITE} TO {OWNER} WITH ADMIN OPTION;\n"
            f"GRANT pg_signal_backend TO {OWNER};\n"
        )
        command = [str(self.programs.psql), "--no-psqlrc", "--quiet", "-v", "ON_ERROR_STOP=1", "-h"]
        command += [str(self.place.sockets), "-U", "postgres", "-d", "postgres"]
        done = subprocess.run(
            command,
            cwd="/",
            input=roles + database + (powers if self.throw_away else ""),
            env=bare_environment() | {"PGPASSWORD": self.password("postgres")},
            capture_output=True,
            text=True,
            check=False,
            **rights(self.place.account),
        )
        if done.returncode:
            self.stop()
            raise self._trouble(done.stderr)

    def _trouble(self, said: str) -> Trouble:
        """Return what to tell a person about what PostgreSQL `said`."""
        if "No space left on device" in said:
            return Trouble(
                f"The disk is full: PostgreSQL could not write to {self.place.data}. Make room and start again."
            )
        if "password authentication failed" in said:
            return Trouble(
                f"The passwords in {self.passwords} are not those of the data in {self.place.postgres}: put both back "
                f"from the same backup."
            )
        lines = [line for line in said.splitlines() if re.search(r"FATAL|PANIC|error|ERROR", line)]
        reason = (lines or said.strip().splitlines() or ["it said nothing"])[-1]
        return Trouble(f"PostgreSQL did not start: {reason} (its log: {self.log})")

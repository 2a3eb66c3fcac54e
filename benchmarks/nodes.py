"""A large site on one machine: several nodes behind nginx, PgBouncer, and a Valkey for each purpose.

What a federation of clubs would run on many machines, started with real
processes on one: PostgreSQL, PgBouncer in transaction mode, three Valkeys
(queues, announcements, cache), ``nodes`` times web, workers and beat, and nginx
before the web processes. ``benchmarks.tables --nodes 2`` puts its load on it.
Needs the programs ``pgbouncer`` and ``nginx``, as every distribution has them.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmarks.tables_site import GIVEN, PROJECT, Site, _end
from config.engines.place import choose_place
from config.engines.processes import rights
from config.engines.programs import find_programs
from config.engines.running import Engines
from config.engines.valkey import Valkey
from script.ports import free_port

PURPOSES = ("broker", "layer", "cache")
A_NODE = ("web", "clock", "bots", "default", "beat")

POOLER = """
[databases]
{name} = host={host} port=5432 dbname={name} user={user} password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = plain
auth_file = {users}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
ignore_startup_parameters = extra_float_digits,options
log_connections = 0
log_disconnections = 0
log_stats = 0
"""

DOOR = """
daemon off; pid {folder}/nginx.pid; error_log stderr warn; worker_processes 1;
events {{ worker_connections 8192; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream nodes {{ {nodes} }}
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
      proxy_pass http://nodes; proxy_http_version 1.1; proxy_read_timeout 60s; proxy_buffering off;
      proxy_set_header Host $http_host; proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade; proxy_set_header X-Forwarded-For $remote_addr;
    }}
  }}
}}
"""


class Nodes(Site):
    """``nodes`` times every process of the site; clients come in by ``ports[0]``, which is nginx's."""

    def __init__(self, nodes: int) -> None:
        missing = [name for name in ("pgbouncer", "nginx") if _program(name) is None]
        if missing:
            raise SystemExit(f"install {' and '.join(missing)} first: --nodes puts them around the site")
        self.folder = Path(tempfile.mkdtemp(prefix="cardclub-nodes-"))
        self.folder.chmod(0o711)
        self.var = self.folder / "var"
        self.said = self.folder / "said"
        self.ports = [free_port()]
        self.beside: list[subprocess.Popen[bytes]] = []
        self.nodes: list[list[subprocess.Popen[bytes]]] = []
        self.valkeys: list[Valkey] = []
        self.engines = Engines(self.var, valkey=False)
        try:
            self.environment = self._environment(self.engines.start())
            self._prepare()
            webs = [free_port() for _ in range(nodes)]
            self.nodes = [
                [self._run("-m", "config.process", name, PORT=str(port)) for name in A_NODE] for port in webs
            ]
            for port in webs:
                self._wait_for(port)
            self._open_door(webs)
        except BaseException:
            self.stop()
            raise

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses of PostgreSQL itself, and of the Valkey that announcements go through."""
        return {
            "DATABASE_URL": self.direct["DATABASE_URL"],
            "DATABASE_OWNER_URL": self.direct["DATABASE_OWNER_URL"],
            "REDIS_URL": self.environment["LAYER_URL"],
        }

    def kill_node(self, number: int) -> None:
        """SIGKILL every process of a node at once, and do not start them anew."""
        for process in self.nodes[number]:
            process.send_signal(signal.SIGKILL)
        for process in self.nodes[number]:
            process.wait()
        self.nodes[number] = []

    def stop(self) -> None:
        """Stop everything, the engines last, and remove the folders."""
        for process in self._own():
            _end(process)
        for valkey in self.valkeys:
            valkey.stop()
        self.engines.stop()
        place = choose_place(self.var, engine_user="nobody")
        for folder in (place.data, place.sockets, self.folder):
            shutil.rmtree(folder, ignore_errors=True)

    def _own(self) -> list[subprocess.Popen[bytes]]:
        return [*self.beside, *(process for node in self.nodes for process in node)]

    def _tops(self) -> list[subprocess.Popen[bytes]]:
        engines = [self.engines.postgres, *self.valkeys]
        return self._own() + [each.process for each in engines if each and each.process]

    def _environment(self, direct: dict[str, str]) -> dict[str, str]:
        """Start Valkeys and PgBouncer; return the environment of the site's processes."""
        self.direct = direct
        given = {name: value for name, value in os.environ.items() if name not in GIVEN}
        given |= {
            "SECRET_KEY": "only for measurements, and long enough for every algorithm",
            "VAR_DIR": str(self.var),
            "DATABASE_URL": self._start_pooler(direct["DATABASE_URL"]),
            "DATABASE_OWNER_URL": direct["DATABASE_OWNER_URL"],
            "DB_TRANSACTION_POOLING": "true",
        }
        urls = {purpose: self._start_valkey(purpose) for purpose in PURPOSES}
        given |= {f"{purpose.upper()}_URL": url for purpose, url in urls.items()}
        return given | {"REDIS_URL": urls["broker"]}

    def _start_valkey(self, purpose: str) -> str:
        place = choose_place(self.var / purpose, engine_user="nobody")
        valkey = Valkey(place, find_programs(place), throw_away=True)
        valkey.start()
        self.valkeys.append(valkey)
        return valkey.url

    def _start_pooler(self, direct: str) -> str:
        """Start PgBouncer before the database and return the address that goes through it."""
        parts = urlsplit(direct)
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        folder, port = self.folder / "pooler", free_port()
        folder.mkdir()
        (folder / "users").write_text(f'"{user}" "{password}"\n')
        words = {
            "name": parts.path.strip("/"),
            "host": self.engines.place.sockets,
            "user": user,
            "password": password,
        }
        (folder / "settings").write_text(POOLER.format(**words, port=port, users=folder / "users"))
        account = self.engines.place.account
        if account:
            for path in (folder, *folder.iterdir()):
                os.chown(path, account.uid, account.gid)
        program = str(_program("pgbouncer"))
        self.beside.append(
            self._start([program, str(folder / "settings")], dict(os.environ), **rights(account))
        )
        self._wait_for(port)
        return f"postgres://{user}:{password}@127.0.0.1:{port}/{words['name']}"

    def _prepare(self) -> None:
        """Migrate, and gather the files that pages name."""
        command = [sys.executable, "manage.py", "prepare", "--no-demo"]
        subprocess.run(command, cwd=PROJECT, env=self.environment, check=True)

    def _open_door(self, webs: list[int]) -> None:
        folder = self.folder / "door"
        folder.mkdir(mode=0o755)
        nodes = " ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=2s;" for port in webs)
        (folder / "settings").write_text(DOOR.format(folder=folder, nodes=nodes, port=self.ports[0]))
        command = [str(_program("nginx")), "-p", str(folder), "-c", str(folder / "settings")]
        self.beside.append(self._start(command, dict(os.environ)))
        self._wait_for(self.ports[0])


def _program(name: str) -> str | None:
    """Return where a program is; those of administrators are not on everybody's path."""
    return shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin")

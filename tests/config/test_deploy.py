"""What lies in deploy/ fits the site: every process has a unit and a container, and the manual names what is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from config.process import NAMES, WORKERS
from config.variables import MEANINGS

PROJECT = Path(__file__).resolve().parents[2]
DEPLOY = PROJECT / "deploy"
MANUAL = (PROJECT / "docs" / "operations.md").read_text()


def unit(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "systemd" / name).read_text().splitlines():
        key, is_setting, value = line.partition("=")
        if is_setting and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def test_every_process_of_the_site_is_wanted_and_stopped_with_it():
    wanted = " ".join(unit("cardclub.target")["Wants"]).split()
    processes = [
        re.sub(r"cardclub-(web@\d+|worker@|)", "", name).removesuffix(".service") or "web" for name in wanted
    ]
    assert sorted(processes) == sorted(NAMES)
    for name in ("cardclub-web@.service", "cardclub-worker@.service", "cardclub-beat.service"):
        assert unit(name)["PartOf"] == ["cardclub.target"]
        assert unit(name)["Restart"] == ["always"]


def test_the_processes_do_not_know_the_owner_of_the_tables():
    for name in ("cardclub-web@.service", "cardclub-worker@.service", "cardclub-beat.service"):
        assert unit(name)["EnvironmentFile"] == ["/etc/cardclub/site.env"]
    site_env = re.search(r"cat > /etc/cardclub/site.env <<ENV\n(.*?)ENV\n", MANUAL, re.DOTALL)[1]
    assert "owner" not in site_env.lower() and "PASSPHRASE" not in site_env


@pytest.mark.parametrize("file", ["site.env", "owner.env"])
def test_the_manual_sets_variables_that_there_are(file):
    written = re.search(rf"cat > /etc/cardclub/{file} <<ENV\n(.*?)ENV\n", MANUAL, re.DOTALL)[1]
    names = re.findall(r"^(\w+)=", written, re.MULTILINE)
    assert names and set(names) <= MEANINGS.keys()


def test_every_worker_has_a_container():
    text = (DEPLOY / "compose.yaml").read_text()
    commands = re.findall(r'command: \["-m", "config.process", "(\w+)"\]', text)
    assert sorted(commands) == sorted(NAMES)
    assert set(WORKERS) <= set(re.findall(r"^  (\w+):$", text, re.MULTILINE))


def test_what_the_manual_names_in_deploy_is_there():
    for name in set(re.findall(r"deploy/([\w./*-]+)", MANUAL)) - {
        ".env",
        "compose.env",
        "manage",
        "systemd/*",
    }:
        assert (DEPLOY / name.rstrip(".")).exists(), name


@pytest.mark.parametrize("script", ["manage", "try_operations.py", "stand_in_systemctl.py"])
def test_scripts_can_be_run_and_read(script):
    path = DEPLOY / script
    assert path.stat().st_mode & 0o111
    checker = ["sh", "-n"] if script == "manage" else ["python3", "-m", "py_compile"]
    assert subprocess.run([*checker, str(path)], check=False).returncode == 0


def test_every_shell_block_of_the_manual_is_whole():
    for block in re.findall(r"^```sh\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL):
        assert subprocess.run(["bash", "-n"], input=block, text=True, check=False).returncode == 0, block


@pytest.mark.parametrize("proxy", ["Caddyfile", "nginx.conf"])
def test_no_proxy_passes_the_numbers_on(proxy):
    assert re.search(r"/metrics.*\n?.*404", (DEPLOY / proxy).read_text())


def test_nginx_hands_on_what_sockets_and_tls_need():
    text = (DEPLOY / "nginx.conf").read_text()
    sockets = text[text.index("location /ws/") :]
    for header in (
        "Upgrade $http_upgrade",
        "Host $host",
        "X-Forwarded-Proto $scheme",
        "X-Forwarded-For $remote_addr",
    ):
        assert f"proxy_set_header {header};" in sockets

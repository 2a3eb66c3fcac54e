"""One address per server, spelled for each library."""

from __future__ import annotations

from pathlib import Path

from config.addresses import celery_broker, channel_layers, database
from config.embedded import database_url, read_addresses, redis_url, write_addresses


def test_a_database_behind_a_socket_keeps_the_capitals_of_its_folder():
    url = database_url(user="site", password="p@ss/wörd", name="cardclub", host="/Tmp/My Club/run")
    described = database(url)
    assert described["HOST"] == "/Tmp/My Club/run"
    assert (described["USER"], described["PASSWORD"], described["NAME"]) == ("site", "p@ss/wörd", "cardclub")
    assert described["OPTIONS"] == {}


def test_a_database_on_the_net_and_a_percent_encoded_socket():
    described = database(database_url(user="site", password="p", name="club", host="db.example", port=5433))
    assert (described["HOST"], described["PORT"]) == ("db.example", 5433)
    assert database("postgres://u:p@%2FTmp%2FSocket/club")["HOST"] == "/Tmp/Socket"


def test_other_options_of_a_database_address_are_kept():
    assert database("postgres://u:p@db.example/club?sslmode=require")["OPTIONS"] == {"sslmode": "require"}


def test_celery_spells_only_sockets_in_its_own_way():
    assert celery_broker(redis_url(Path("/run/valkey.sock"), number=3)) == (
        "redis+socket:///run/valkey.sock?virtual_host=3"
    )
    assert celery_broker("redis://cache.example:6379/2") == "redis://cache.example:6379/2"


def test_an_idle_subscriber_is_not_hung_up_on():
    (host,) = channel_layers("redis://cache.example/0")["default"]["CONFIG"]["hosts"]
    assert host["socket_timeout"] > 30


def test_addresses_written_for_other_commands_are_read_back(tmp_path):
    assert read_addresses(tmp_path) == {}
    addresses = {"DATABASE_URL": "postgres://u:p=@/db?host=/run", "REDIS_URL": "unix:///run/valkey.sock?db=0"}
    write_addresses(tmp_path, addresses)
    assert read_addresses(tmp_path) == addresses
    assert (tmp_path / "embedded.env").stat().st_mode & 0o777 == 0o600

"""What a line of the log says beside its words, in both forms."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from django.conf import settings

from clubs.models import User
from config import celery, logs
from games.tasks import play_bot

logger = logging.getLogger("games.somewhere")


@contextmanager
def written(form: str) -> Iterator[io.StringIO]:
    """Give what is logged inside the block, as the handler of `form` writes it."""
    described = logs.configuration(level="INFO", form=form, process="web")["formatters"][form]
    configurator = logging.config.DictConfigurator({})
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(configurator.configure_formatter(dict(described)))
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield handler.stream
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def objects(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_outside_of_everything_has_no_numbers():
    with written("line") as line, written("json") as told:
        logger.warning("%s tables are slow", 3)
    assert line.getvalue().endswith(" web WARNING games.somewhere: 3 tables are slow\n")
    [found] = objects(told)
    assert found.pop("timestamp").endswith("Z")
    assert found == {
        "process": "web",
        "logger": "games.somewhere",
        "level": "warning",
        "event": "3 tables are slow",
    }


@pytest.mark.django_db
def test_a_request_is_told_by_number_with_who_asked_and_at_which_table(client):
    mari = User.objects.create_user(username="mari", password="a good long password")
    client.force_login(mari)
    table = str(uuid4())
    with written("json") as told, written("line") as line:
        answer = client.get(f"/tables/{table}/")
        client.logout()
        client.get("/no-such-page", headers={"X-Request-ID": "from-the-proxy-1"})
        client.get("/no-such-page", headers={"X-Request-ID": "forged\tline"})
    first, second, third = objects(told)
    assert (first["request"], first["table"], first["user"]) == (answer["X-Request-ID"], table, mari.pk)
    assert (first["logger"], first["level"]) == ("django.request", "warning")
    assert second["request"] == "from-the-proxy-1" and "user" not in second
    assert len(str(third["request"])) == 16
    assert f"[request={answer['X-Request-ID']} table={table} user={mari.pk}]" in line.getvalue()


def test_a_task_is_told_by_number_and_what_follows_it_is_not():
    with written("json") as told:
        celery._bind_task(task_id="a-task", task=play_bot, args=["a-table", 3])
        logger.info("inside")
        celery._unbind_task()
        logger.info("after")
    inside, after = objects(told)
    assert (inside["task"], inside["table"]) == ("a-task", "a-table")
    assert "task" not in after and "table" not in after


def test_a_fault_is_one_object_whose_traceback_shows_no_variables():
    hand = "the seed of deal 7"
    with written("json") as told:
        try:
            raise RuntimeError("a bug")
        except RuntimeError:
            logger.exception("a command failed")
    [found] = objects(told)
    assert "RuntimeError: a bug" in found["exception"] and found["event"] == "a command failed"
    assert hand not in told.getvalue()


def test_nobody_writes_past_the_one_handler():
    loggers = settings.LOGGING["loggers"]
    assert {
        name for name, given in loggers.items() if given.get("handlers") == [] and given["propagate"]
    } >= {
        "django",
        "uvicorn",
        "uvicorn.error",
    }

"""How late a task comes that is due at a certain time: `python -m benchmarks.alarms [--count 600] [--seconds 6]`.

Starts an embedded Valkey and one worker as the site runs it, sends tasks with random due times, and prints how many
milliseconds after its time each was begun.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import redis

from config.celery import app
from config.engines.running import Engines

QUEUE, RESULTS = "alarms", "alarms:late"
WORKER = f"from benchmarks.alarms import app; from config.worker import run; run(app, {QUEUE!r}, 4)"


@app.task(name="benchmarks.alarm")
def alarm(due: float) -> None:
    """Note how late this task is."""
    late = (time.time() - due) * 1000
    redis.Redis.from_url(os.environ["REDIS_URL"]).rpush(RESULTS, late)


def main() -> None:
    """Run the measurement in a throw-away folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seconds", type=float, default=6, help="tasks are due within this time")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cardclub-alarms-"))
    folder.chmod(0o711)
    engines = Engines(folder / "var", postgres=False, throw_away=True)
    try:
        environment = os.environ | engines.start() | {"VAR_DIR": str(folder / "var"), "PROCESS_NAME": QUEUE}
        os.environ.update(environment)
        worker = subprocess.Popen([sys.executable, "-c", WORKER], env=environment, stdout=subprocess.DEVNULL)
        try:
            measure(options.count, options.seconds, environment["REDIS_URL"])
        finally:
            worker.terminate()
            worker.wait()
    finally:
        engines.stop()
        shutil.rmtree(folder)


def measure(count: int, seconds: float, address: str) -> None:
    """Send the tasks, wait for all of them and print the distribution."""
    from config.addresses import celery_broker

    app.conf.broker_url = celery_broker(address)
    chance, client = random.Random(1), redis.Redis.from_url(address)
    for _ in range(count):
        wait = 3 + chance.uniform(0, seconds)
        app.send_task("benchmarks.alarm", args=(time.time() + wait,), countdown=wait, queue=QUEUE)
    while client.llen(RESULTS) < count:
        time.sleep(0.1)
    late = sorted(float(value) for value in client.lrange(RESULTS, 0, -1))
    marks = {"p50": late[count // 2], "p99": late[int(count * 0.99)], "max": late[-1]}
    print(f"{count} tasks, milliseconds late: " + ", ".join(f"{k} {v:.1f}" for k, v in marks.items()))


if __name__ == "__main__":
    main()

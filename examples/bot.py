"""A bot that plays a match against the site's bots: CLUB_TOKEN=… examples/bot.py http://localhost:8000 least_score

The token needs the scopes `read` and `play` (docs/api.md). The other game is three_card_loo.
"""

import json
import os
import sys
import urllib.error
import urllib.request
import uuid

SITE, GAME = sys.argv[1].rstrip("/"), sys.argv[2]
HEADERS = {"Authorization": f"Bearer {os.environ['CLUB_TOKEN']}", "Content-Type": "application/json"}
TABLES = {
    "three_card_loo": {"seats": 5, "bots": 4},
    "least_score": {"seats": 3, "bots": 2, "options": {"threshold": 25}},
}


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(f"{SITE}/api/v1{path}", data, HEADERS), timeout=60)


def choose(deal):
    legal = deal["legal"]
    if GAME == "least_score":
        return "declare" if "declare" in legal and deal["total"] <= 7 else max(legal, key=len)
    return "play" if "play" in legal and any(card[1] == deal["trump"] for card in deal["hand"]) else legal[0]


table = json.load(ask("/tables", {"game": GAME, "pace_ms": 1000, "bot_think_ms": 200, **TABLES[GAME]}))["id"]
for line in ask(f"/tables/{table}/stream"):
    frame = json.loads(line)
    if frame["t"] == "state" and frame["table"]["deal"] and frame["table"]["deal"]["legal"]:
        try:
            ask(
                f"/tables/{table}/moves",
                {"id": str(uuid.uuid4()), "v": frame["v"], "m": choose(frame["table"]["deal"])},
            )
        except (
            urllib.error.HTTPError
        ) as refusal:  # the table has gone on meanwhile, and the next line says how
            print(refusal.read().decode(), file=sys.stderr)
print(json.dumps({"table": table, "status": frame["table"]["status"], "ranking": frame["table"]["ranking"]}))

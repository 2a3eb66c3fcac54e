"""Events in plain words: how they are played, what counts, what was done, what is next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext_lazy

from games.rules import GAMES
from games.wording import options_in_words, value_in_words

if TYPE_CHECKING:
    from tournaments.models import Draw, Tournament

Text = str | Promise

TIE_BREAKS: dict[str, Text] = {
    "head_to_head": _l("games against each other"),
    "wins": _l("tables won"),
    "best_round": _l("best round"),
    "worst_round": _l("least bad worst round"),
    "last_round": _l("last round"),
    "opponents": _l("strength of the opponents"),
}
"""Every tie-break that the standings know, by its name in the rules."""

STILL: dict[str, Text] = {
    "safe": _l("safe: a prize is certain"),
    "alive": _l("alive: a prize is still possible"),
    "out": _l("out of the prizes"),
}
STILL_SHORT: dict[str, Text] = {
    "safe": _l("safe"),
    "alive": _l("alive"),
    "out": pgettext_lazy("chances", "out"),
}

METHODS: dict[str, Text] = {
    "construction": _l("by a construction that is proved"),
    "catalogue": _l("from the catalogue of best known plans"),
    "search": _l("by search"),
    "swiss": _l("by the standings (Swiss)"),
    "by hand": _l("changed by hand"),
}

FIGURES: dict[str, Text] = {
    "repeats": _l("repeat meetings"),
    "third": _l("third meetings"),
    "back_to_back": _l("pairs together in two rounds running"),
    "strangers": _l("pairs without a meeting or a common opponent"),
    "larger_spread": _l("spread of visits to larger tables"),
    "q": _l("Q, the sum of C(meetings, 2) over all pairs"),
}
"""The figures of a draw, in the order in which a page tells them."""

BOUNDS: dict[str, Text] = {
    "pairs": _l("by pairs"),
    "rounds": _l("by rounds"),
    "visits": _l("by visits to larger tables"),
}
"""The lower bounds of Q, by the name in a certificate (``tournaments.rules.bounds``)."""

ACTIONS: dict[str, Text] = {
    "created": _l("created the event"),
    "changed": _l("changed the terms"),
    "season": _l("put it in a season"),
    "registration_opened": _l("opened registration"),
    "check_in_opened": _l("opened check-in"),
    "started": _l("started the event"),
    "fees_paid": _l("collected the entry fees"),
    "finished": _l("finished the event"),
    "archived": _l("archived the event"),
    "cancelled": _l("cancelled the event"),
    "prizes_paid": _l("paid the prizes"),
    "prizes_taken_back": _l("took the prizes back"),
    "entered": _l("entered a player"),
    "moved_up": _l("moved a player up from the waiting list"),
    "passed_over": _l("passed a player over on the waiting list"),
    "checked_in": pgettext_lazy("action", "checked in"),
    "check_in_undone": _l("took a check-in back"),
    "no_show": _l("noted that a player did not come"),
    "withdrawn": _l("withdrew a player"),
    "leaving": _l("noted that a player leaves after this round"),
    "left": _l("let a player go after the round"),
    "returned": _l("let a player return"),
    "seated_again": _l("gave a returned player a place"),
    "substituted": _l("changed who plays for a player"),
    "volunteers": _l("noted who would like to sit out"),
    "kept_apart": _l("kept two players apart"),
    "allowed_together": _l("let two players meet again"),
    "drawn": _l("drew"),
    "not_drawn": _l("could not draw anew"),
    "swapped": _l("swapped two players"),
    "draw_confirmed": _l("confirmed the draw"),
    "draw_loosened": _l("took the confirmation of the draw back"),
    "draw_used": _l("went back to an earlier draw"),
    "released": _l("released a round"),
    "unreleased": _l("took a release back"),
    "round_scheduled": _l("set when a round opens"),
    "not_opened": _l("could not open a round on time"),
    "seated_anew": _l("broke or balanced tables"),
    "knocked_out": _l("knocked players out"),
    "table_done": _l("took a table's results over"),
    "result_entered": _l("entered a result"),
    "table_confirmed": _l("confirmed a table's results"),
    "table_disputed": _l("disputed a table's results"),
    "dispute_resolved": _l("decided a dispute"),
    "corrected": _l("corrected a result"),
    "extra_time": _l("gave a table extra time"),
    "clock_stopped": _l("stopped the clock"),
    "clock_goes_on": _l("let the clock go on"),
    "round_complete": _l("noted that all tables are done"),
    "round_confirmed": _l("confirmed a round"),
    "round_reopened": _l("reopened a round"),
    "round_undone": _l("undid a round"),
    "round_redone": _l("brought a round back"),
}
"""What was done, by the kind of the action."""

MOVED: dict[str, Text] = {
    "hold": _l("fee set aside"),
    "paid": _l("fee paid"),
    "void": _l("fee no longer set aside"),
    "refund": _l("fee refunded"),
    "guarantee": _l("new chips for the pool"),
    "prize": _l("prize"),
    "guarantee_back": _l("new chips of the pool taken back"),
    "prize_back": _l("prize taken back"),
    "chips": _l("chips of the event"),
    "chips_back": _l("chips of the event taken back"),
}
"""What chips moved for, by the type that an action notes (``tournaments.stakes``)."""

FORCED = {
    "three_card_loo": ("rotations", "finish", "min_players"),
    "least_score": ("match", "entry", "per_point", "prize", "threshold"),
}
"""Options of the games that an event decides by its own terms."""


def rules_in_words(tournament: Tournament) -> list[str]:
    """Return how the event is played, a sentence each, in the active language."""
    sentences = [_kind(tournament), _tables(tournament), _seating(tournament)]
    if tournament.eliminates:
        sentences += _elimination(tournament)
    sentences.append(_clock(tournament))
    if tournament.full_orbits_only:
        sentences.append(_("When time is up, only orbits that are complete count."))
    sentences.append(game_rules_in_words(tournament.game, tournament.options))
    return [sentence for sentence in sentences if sentence]


def points_in_words(tournament: Tournament) -> list[str]:
    """Return how results add up and how ties are broken, a sentence each."""
    loo = tournament.game == "three_card_loo"
    rule = {
        "high": _("Net stakes of all deals are added up; the highest sum wins."),
        "low": _("Points of all deals are added up; the lowest sum wins."),
        "places": _(
            "Each table counts by place: 0 for its best, 1 for its last, the others evenly between, whatever the "
            "table's size. The lowest sum wins."
        ),
    }[tournament.scoring]
    sentences = [rule]
    if not tournament.eliminates:
        sentences.append(_("A round that somebody sits out counts as that player's own average round."))
        sentences.append(_("A round that is missed counts like the worst result of that round."))
    if loo and tournament.scoring == "high":
        sentences.append(_("A pot that is left at the end of a table is shared out."))
    sentences.append(tie_breaks_in_words(tournament.tie_breaks))
    return sentences


def tie_breaks_in_words(order: Iterable[str]) -> str:
    """Return the published order of tie-breaks as a sentence."""
    named = [str(TIE_BREAKS[name]) for name in order]
    if not named:
        return _("There are no tie-breaks: equal results share a place.")
    steps = "; ".join(f"{n}. {name}" for n, name in enumerate(named, 1))
    return _("Ties are broken by: %(steps)s. Who is equal in all of them shares a place.") % {"steps": steps}


def standings_rule(tournament: Tournament) -> str:
    """Return when standings are shown, and why."""
    if tournament.standings_live:
        return _("Standings follow every result at once.")
    return _(
        "Results of a round are held back until all its tables are done, so that nobody plays by what happens elsewhere."
    )


def method_in_words(draw: Draw) -> str:
    """Return how a draw was made."""
    return str(METHODS.get(draw.method, draw.method))


def action_in_words(kind: str) -> str:
    """Return what was done; an unknown kind by its name."""
    return str(ACTIONS.get(kind, kind.replace("_", " ")))


def moved_in_words(moved: Mapping[str, Any]) -> str:
    """Return what one transaction moved: for what, and how many chips."""
    kind = moved["type"]
    return f"{MOVED.get(kind, kind)}: {moved['amount']}"


def details_in_words(after: Any, before: Any, names: Mapping[int, str]) -> str:
    """Return what an action tells beyond its kind: round, table, deal, players."""
    told = after if isinstance(after, dict) else {}
    if not told and isinstance(before, dict):
        told = before
    parts = [
        _("round %(n)s") % {"n": told["round"]} if "round" in told else "",
        _("table %(n)s") % {"n": told["table"]} if isinstance(told.get("table"), int) else "",
        _("deal %(n)s") % {"n": told["deal"]} if told.get("deal") else "",
        _("version %(n)s") % {"n": told["draw"]} if "draw" in told else "",
        names.get(told["entry"], "") if isinstance(told.get("entry"), int) else "",
        _people(told.get("entries") or told.get("players"), names),
        _people([p for group in told.get("out", []) for p in group] if "out" in told else None, names),
        _changes(before, after),
    ]
    return ", ".join(part for part in parts if part)


def _people(numbers: Any, names: Mapping[int, str]) -> str:
    if not isinstance(numbers, list):
        return ""
    if len(numbers) > 6:
        return ngettext("%(count)d player", "%(count)d players", len(numbers)) % {"count": len(numbers)}
    return ", ".join(names.get(number, str(number)) for number in numbers)


def _changes(before: Any, after: Any) -> str:
    """Return changed values as "from → to" where both are plain."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() <= after.keys():
        changed = (f"{key}: {_short(before[key])} → {_short(after[key])}" for key in before)
        return ", ".join(changed)
    return ""


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}: {each}" for key, each in value.items())[:120] or "–"
    text = "–" if value in (None, "", []) else str(value)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _kind(tournament: Tournament) -> str:
    rounds = ngettext("%(count)d round", "%(count)d rounds", tournament.rounds) % {"count": tournament.rounds}
    if tournament.eliminates:
        return _("An elimination of at most %(rounds)s: whoever is knocked out leaves the event.") % {
            "rounds": rounds
        }
    orbits = ngettext(
        "everybody deals once at each table",
        "everybody deals %(count)d times at each table",
        tournament.orbits,
    ) % {"count": tournament.orbits}
    return _("%(rounds)s; %(orbits)s.") % {"rounds": rounds, "orbits": orbits}


def _tables(tournament: Tournament) -> str:
    return _("Tables have %(low)d to %(high)d players, %(ideal)d if possible.") % {
        "low": tournament.size_min,
        "high": tournament.size_max,
        "ideal": tournament.size_ideal,
    }


def _seating(tournament: Tournament) -> str:
    if tournament.eliminates:
        return _("Seats of each round are drawn by lot.")
    if tournament.seating == "swiss":
        return _(
            "After round 1, neighbours in the standings meet; nobody meets twice while it can be avoided."
        )
    return _("The whole event is planned at once, so that as few players as possible meet twice.")


def _elimination(tournament: Tournament) -> list[str]:
    sentences = []
    given = [str(each) for each in tournament.thresholds]
    if len(given) == 1:
        sentences.append(_("Whoever has more than %(n)s points is knocked out.") % {"n": given[0]})
    elif given:
        sentences.append(
            _("Knocked out above, round by round: %(list)s points.") % {"list": ", ".join(given)}
        )
    if given and tournament.round_end != "orbits":
        sentences.append(
            _("A round ends at a table at its first knock-out.")
            if tournament.round_end == "first_out" or tournament.round_end_count == 1
            else _("A round ends at a table after %(n)d knock-outs.") % {"n": tournament.round_end_count}
        )
    n = tournament.advance_count
    advance = {
        "under": _("Everybody who is not above the threshold advances."),
        "table_best": ngettext(
            "The best player of each table advances.", "The best %(n)d of each table advance.", n
        ),
        "table_worst": ngettext(
            "The last player of each table leaves.", "The last %(n)d of each table leave.", n
        ),
        "overall_best": ngettext("The best of all advances.", "The best %(n)d of all advance.", n),
    }[tournament.advance]
    sentences.append(advance % {"n": n})
    if given and tournament.final_size:
        sentences.append(
            _(
                "In the last round tables are broken and balanced as players leave; the last %(n)d play the final table."
            )
            % {"n": tournament.final_size}
        )
    return sentences


def _clock(tournament: Tournament) -> str:
    if tournament.online:
        return _("Clock: %(clock)s.") % {"clock": tournament.clock_title}
    if tournament.round_minutes:
        return ngettext(
            "A round lasts %(count)d minute.", "A round lasts %(count)d minutes.", tournament.round_minutes
        ) % {"count": tournament.round_minutes}
    return _("Rounds have no time limit.")


def game_rules_in_words(game: str, options: Mapping[str, Any]) -> str:
    """Return the game's options that matter, as one sentence; what the event decides itself is left out."""
    rules = GAMES[game]
    usual = rules.dump_options(rules.parse_options({}))
    chosen = rules.dump_options(rules.parse_options(dict(options)))
    kept = {name: usual[name] if name in FORCED[game] else value for name, value in chosen.items()}
    if game == "least_score":
        kept["match"] = "counted"
    ruled = {value_in_words(name, kept[name]) for name in FORCED[game]}
    text = ", ".join(phrase for phrase in options_in_words(game, kept, usual) if phrase not in ruled)
    return f"{text[:1].upper()}{text[1:]}." if text else ""

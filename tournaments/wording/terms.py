"""An event's terms in plain words: how it is played, what counts, how ties are broken."""

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
    from tournaments.models import Tournament

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
            "table’s size. The lowest sum wins."
        ),
    }[tournament.scoring]
    sentences = [rule]
    if tournament.eliminates:
        sentences.append(
            _("Who stays in longer stands higher; of those who leave after the same deal, the lower total.")
        )
    else:
        sentences.append(_("A round that somebody sits out counts as that player’s own average round."))
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
    return _("Tables have %(low)d to %(high)d players, %(ideal)d if possible.") % {
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

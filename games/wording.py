"""Games and their options in plain words, for forms, table pages and lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

Text = str | Promise

TITLES: dict[str, Text] = {"three_card_loo": _l("3-Card Loo"), "least_score": _l("Least Score")}

CLOCKS: dict[str, Text] = {
    "blitz": _l("Blitz: move 8 s, bank 30 s"),
    "club": _l("Club: move 15 s, bank 90 s"),
    "relaxed": _l("Relaxed: move 40 s, bank 5 min"),
    "days": _l("Days: one day a move"),
}

LABELS: dict[str, dict[str, Text]] = {
    "three_card_loo": {
        "rotations": _l("How often everybody deals"),
        "defend": _l("When the dealer may defend the miss"),
        "dealer_may_concede": _l("The dealer may leave the pot to a lone player"),
        "lead": _l("Leading trumps"),
        "under_trump": _l("Trumping below a trump"),
        "loo": _l("What being looed costs"),
        "loo_cap": _l("Most stakes an unlimited loo costs"),
        "ante": _l("Who pays before a deal"),
        "bold_stand": _l("Everybody plays when the pot holds only the dealer’s stakes"),
        "club_law": _l("Everybody plays when clubs are trumps"),
        "finish": _l("End of the match"),
        "min_players": _l("Fewest players"),
    },
    "least_score": {
        "threshold": _l("Knocked out above"),
        "match": _l("End of the match"),
        "runs": _l("Runs"),
        "pick": _l("Open cards that may be taken"),
        "tie": _l("A tie with the declarer"),
        "declare_cap": _l("Declaring"),
        "three_of_a_kind": _l("Three of a kind may be discarded"),
        "any_run": _l("Runs of four may be discarded"),
        "starter": _l("Who starts a deal"),
        "packs": _l("Packs of cards"),
        "per_point": _l("One stake is paid for each point"),
        "entry": _l("Entry in stakes"),
        "prize": _l("Who gets the pot"),
    },
}
"""Every option of every game, in the order in which a form asks for it."""

VALUES: dict[tuple[str, Any], Text] = {
    ("rotations", 1): _l("everybody deals once"),
    ("rotations", 2): _l("everybody deals twice"),
    ("rotations", 3): _l("everybody deals three times"),
    ("rotations", 4): _l("everybody deals four times"),
    ("rotations", 5): _l("everybody deals five times"),
    ("defend", "lone"): _l("the dealer defends the miss against a lone player only"),
    ("defend", "any"): _l("the dealer may always defend the miss while it lies untaken"),
    ("lead", "highest_if_two"): _l("with two players left the highest trump is led"),
    ("lead", "always_highest"): _l("the highest trump is always led"),
    ("under_trump", "must"): _l("a lower trump must be played"),
    ("under_trump", "free"): _l("a lower trump need not be played"),
    ("loo", 3): _l("being looed costs 3 stakes"),
    ("loo", 6): _l("being looed costs 6 stakes"),
    ("loo", "pot"): _l("being looed costs the whole pot"),
    ("ante", "dealer"): _l("only the dealer pays before a deal"),
    ("ante", "everyone"): _l("everybody pays before a deal"),
    ("finish", "fixed"): _l("the match ends after the last deal"),
    ("finish", "until_no_loo"): _l("the match goes on until a deal without a loo"),
    ("min_players", 5): _l("at least 5 players"),
    ("min_players", 3): _l("at least 3 players (practice)"),
    ("threshold", 25): _l("knocked out above 25 points"),
    ("threshold", 50): _l("knocked out above 50 points"),
    ("threshold", 100): _l("knocked out above 100 points"),
    ("match", "last_standing"): _l("played until one is left"),
    ("match", "first_out"): _l("played until the first is knocked out"),
    ("match", "counted"): _l("the event counts the points"),
    ("runs", "any"): _l("runs may mix suits"),
    ("runs", "one_suit"): _l("runs must be of one suit"),
    ("pick", "any"): _l("any open card may be taken"),
    ("pick", "ends"): _l("only the ends of a run may be taken"),
    ("tie", "success"): _l("a tie for lowest is a success"),
    ("tie", "caught"): _l("a tie for lowest catches the declarer"),
    ("declare_cap", None): _l("declaring is free"),
    ("declare_cap", 5): _l("declaring needs 5 points or fewer"),
    ("declare_cap", 7): _l("declaring needs 7 points or fewer"),
    ("declare_cap", 10): _l("declaring needs 10 points or fewer"),
    ("starter", "left"): _l("the player at the dealer’s left starts"),
    ("starter", "winner"): _l("the lowest hand of the last deal starts"),
    ("packs", 1): _l("one pack"),
    ("packs", 2): _l("two packs"),
    ("prize", "winner"): _l("the winner takes the pot"),
    ("prize", "split_70_30"): _l("the pot goes 70 : 30 to the first two"),
}

ALWAYS_SHOWN = {"rotations", "loo", "defend", "threshold", "match"}
"""Options that the one line of a table names even at their usual value."""


def reason_in_words(code: str) -> str:
    """Return why a hint names a move, in the active language."""
    return str(REASONS[code])


def title_of(game: str) -> str:
    """Return the name of a game in the active language."""
    return str(TITLES[game])


def value_in_words(name: str, value: Any) -> str:
    """Return an option's value in the active language: a phrase, a yes or no, or the number itself."""
    found = VALUES.get((name, value))
    if found is not None and not isinstance(value, bool):
        return str(found)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


def options_in_words(game: str, options: Mapping[str, Any], usual: Mapping[str, Any]) -> list[str]:
    """Return what sets a table apart as short phrases: its main options, and whatever differs from ``usual``."""
    phrases = []
    for name, label in LABELS[game].items():
        value = options[name]
        if name == "threshold" and options.get("match") == "counted":
            continue  # The event has its own threshold, or none.
        if name not in ALWAYS_SHOWN and value == usual[name]:
            continue
        if isinstance(value, bool):
            phrases.append(str(label).lower() if value else "")
        elif (name, value) in VALUES:
            phrases.append(value_in_words(name, value))
        else:
            phrases.append(f"{label}: {value}".lower())
    return [phrase for phrase in phrases if phrase]


# What happened ------------------------------------------------------------------------------------------------------

MOVES: dict[str, Text] = {
    "fold": _l("folds"),
    "play": _l("plays"),
    "miss": _l("takes the miss"),
    "defend": _l("defends the miss"),
    "declare": _l("declares"),
}

PAYMENTS: dict[str, Text] = {
    "ante": _l("before the deal"),
    "entry": _l("entry"),
    "trick": _l("for tricks"),
    "loo": _l("looed"),
    "pot": _l("the whole pot"),
    "split": _l("share of the last pot"),
    "per_point": _l("for points"),
    "prize": _l("prize"),
}
"""Why stakes move, by the ``reason`` of the rules' events."""

REASONS: dict[str, Text] = {
    "only_choice": _l("It is the only move that the rules allow."),
    "hand_earns": _l("On average these cards earn more than they cost."),
    "hand_costs": _l("On average these cards cost more than they earn."),
    "miss_better": _l("Three unknown cards are probably better than yours."),
    "miss_worse": _l("Three unknown cards are hardly better than yours."),
    "folding_free": _l("Folding costs nothing."),
    "defence_free": _l("Whoever defends pays nothing, and your own cards would cost more than they earn."),
    "lead_wins": _l("This lead probably takes the trick."),
    "lead_low": _l("This trick is hardly to be won, so the better cards are kept for later."),
    "cheapest_winner": _l("It takes the trick, and the dearer cards are kept."),
    "takes_trick": _l("It probably takes the trick."),
    "may_take": _l("It beats the cards on the table, though somebody may still beat it."),
    "throws_low": _l("The trick cannot be won, so the least useful card is given away."),
    "no_difference": _l("It hardly matters which card is played; this one is the cheapest."),
    "lays_set": _l("The set takes several cards out of the hand at once."),
    "only_card": _l("You hold no other card."),
    "sheds_highest": _l("It is the card that counts most."),
    "keeps_cards": _l("The higher cards belong together and can go at once later."),
    "completes_set": _l("The card taken makes a set with those that are kept."),
    "takes_low": _l("The card taken counts little."),
    "stock_better": _l("A card of the stock is better on average than the open ones."),
    "declare_now": _l("Probably nobody holds less."),
    "declare_risky": _l("Somebody may well hold less."),
}
"""Why a hint names a move, by the codes of ``games.bots.explain``."""

SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def in_signs(cards: str) -> str:
    """Return a text with its cards as signs: ``TD`` becomes ``10♦``."""
    return re.sub(
        r"\b([2-9TJQKA])([CDHS])\b", lambda card: card[1].replace("T", "10") + SUIT_SIGNS[card[2]], cards
    )


def move_in_words(move: str) -> str:
    """Return a move of either game as a line of a list: a word, a card, or what was laid and taken."""
    if move in MOVES:
        return str(MOVES[move])
    if move.startswith("shuffle "):
        count = len(move.split()) - 1
        return ngettext("%(count)d card is shuffled anew", "%(count)d cards are shuffled anew", count) % {
            "count": count
        }
    laid, arrow, source = move.partition(" > ")
    if not arrow:
        return in_signs(laid)
    taken = _("the stock") if source == "stock" else in_signs(source)
    return _("lays %(cards)s, takes %(taken)s") % {"cards": in_signs(laid), "taken": taken}


def outcome_in_words(
    game: str, outcome: Mapping[str, Any], *, dealer: int, names: Mapping[int, str]
) -> list[str]:
    """Return how a deal ended, as short sentences; ``outcome`` is in the record's form."""
    return {"three_card_loo": _loo_outcome, "least_score": _least_outcome}[game](outcome, dealer, names)


def listed(texts: Iterable[str]) -> str:
    """Join texts as a list: "a, b and c"."""
    return get_text_list(list(texts), _("and"))


def _loo_outcome(outcome: Mapping[str, Any], dealer: int, names: Mapping[int, str]) -> list[str]:
    tricks = {int(seat): count for seat, count in outcome["tricks"].items() if count}
    if not tricks:
        gains = {int(seat): delta for seat, delta in outcome["deltas"].items()}
        best = max(gains, key=lambda seat: gains[seat])
        winner = best if gains[best] > 0 else dealer
        return [_("Everybody else folded: %(name)s took the pot.") % {"name": names[winner]}]
    won = [
        ngettext("%(name)s (%(count)d trick)", "%(name)s (%(count)d tricks)", count)
        % {"name": names[seat], "count": count}
        for seat, count in sorted(tricks.items(), key=lambda pair: -pair[1])
    ]
    looed = [names[seat] for seat in outcome["looed"]]
    stays = ngettext(
        "%(count)d stake stayed in the pot.", "%(count)d stakes stayed in the pot.", outcome["pot"]
    )
    return [
        _("%(list)s.") % {"list": listed(won)},
        _("Looed: %(names)s.") % {"names": listed(looed)} if looed else _("Nobody was looed."),
        stays % {"count": outcome["pot"]},
    ]


def _least_outcome(outcome: Mapping[str, Any], dealer: int, names: Mapping[int, str]) -> list[str]:
    totals = {int(seat): total for seat, total in outcome["totals"].items()}
    lowest = min(totals.values())
    best = listed(names[seat] for seat, total in totals.items() if total == lowest)
    least = _("Lowest: %(names)s with %(total)d.") % {"names": best, "total": lowest}
    if outcome.get("void"):
        return [_("No card was left to draw: the deal was void.")]
    if outcome["declarer"] is None:
        return [_("Nobody declared; the hands were shown."), least]
    values = {"name": names[outcome["declarer"]], "total": totals[outcome["declarer"]]}
    if outcome["success"]:
        return [_("%(name)s declared %(total)d and was lowest.") % values]
    return [_("%(name)s declared %(total)d and was caught.") % values, least]


def turn_in_words(about: Mapping[str, Any]) -> str:
    """Tell a member that a table of the game ``about["game"]`` waits for their move."""
    return _("It is your turn at a table of %(game)s.") % {"game": title_of(about["game"])}

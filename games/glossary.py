"""The terms of both games with what they mean; each language's word is looked up in its own catalogue."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import override, pgettext_lazy

Text = str | Promise


class Entry(NamedTuple):
    """A term in the words of every language, by code, and its meaning in the active one."""

    words: dict[str, str]
    meaning: str


_BOTH: tuple[tuple[Text, Text], ...] = (
    (pgettext_lazy("term", "deal"), _l("One dealing of the cards, played to its settlement.")),
    (pgettext_lazy("term", "dealer"), _l("Who deals; the deal moves one seat to the left every time.")),
    (pgettext_lazy("term", "match"), _l("The deals that are played for one ranking.")),
    (
        pgettext_lazy("term", "stake"),
        _l("The unit in which a table counts; at tables for chips so many chips."),
    ),
    (pgettext_lazy("term", "pot"), _l("The stakes that lie on the table.")),
    (pgettext_lazy("term", "suit"), _l("Clubs, diamonds, hearts or spades.")),
    (
        pgettext_lazy("term", "rank"),
        _l("What a card is in its suit: ace, king, queen, jack, or a number from ten to two."),
    ),
    (pgettext_lazy("term", "hand"), _l("The cards that a player holds.")),
    (
        pgettext_lazy("term", "bot"),
        _l("The computer as a player. It sees no more than a player in its seat."),
    ),
    (pgettext_lazy("term", "casual table"), _l("A table that counts for no rating: hints are allowed.")),
    (pgettext_lazy("term", "rated table"), _l("A table whose matches count for the players’ rating.")),
)

_LOO: tuple[tuple[Text, Text], ...] = (
    (
        pgettext_lazy("term", "turn-up"),
        _l("The card turned up after dealing. Its suit is trumps; it is out of play."),
    ),
    (pgettext_lazy("term", "trump"), _l("A card of the suit that beats every other suit in this deal.")),
    (
        pgettext_lazy("term", "trick"),
        _l("One card from each player who is in. There are three, each worth a third of the pot."),
    ),
    (pgettext_lazy("term", "to lead"), _l("To play the first card of a trick.")),
    (
        pgettext_lazy("term", "to follow suit"),
        _l("To play a card of the suit that was led, as one must if one can."),
    ),
    (
        pgettext_lazy("term", "to head the trick"),
        _l("To play a card that beats those already played to the trick, as one must if one can."),
    ),
    (
        pgettext_lazy("term", "to trump"),
        _l("To play a trump because one has no card of the suit that was led."),
    ),
    (pgettext_lazy("term", "to announce"), _l("To say in turn whether one folds, plays or takes the miss.")),
    (pgettext_lazy("term", "folds"), _l("Sits this deal out; it costs nothing.")),
    (pgettext_lazy("term", "plays"), _l("Keeps the three cards and must take a trick, or is looed.")),
    (pgettext_lazy("term", "miss"), _l("The spare hand of three cards that nobody has seen.")),
    (pgettext_lazy("term", "takes the miss"), _l("Throws the own hand away for the miss and must play.")),
    (
        pgettext_lazy("term", "defends the miss"),
        _l("The dealer plays the miss for the pot: wins nothing and pays nothing."),
    ),
    (
        pgettext_lazy("term", "net"),
        _l("The stakes that a seat has won since the match began, less those it has paid."),
    ),
    (
        pgettext_lazy("term", "looed"),
        _l("Played and took no trick: pays 3 stakes, or what the table says, into the next pot."),
    ),
)

_LEAST: tuple[tuple[Text, Text], ...] = (
    (
        pgettext_lazy("term", "set"),
        _l("Cards that may be laid together: a pair, four of a kind, a run or a flush."),
    ),
    (pgettext_lazy("term", "pair"), _l("Two cards of one rank.")),
    (pgettext_lazy("term", "run"), _l("Three or five cards whose ranks follow each other.")),
    (pgettext_lazy("term", "flush"), _l("Five cards of one suit: the whole hand.")),
    (pgettext_lazy("term", "total"), _l("The points that a seat has from all deals of the match so far.")),
    (pgettext_lazy("term", "to lay"), _l("To put a card or a set on the table at the start of one’s turn.")),
    (pgettext_lazy("term", "open cards"), _l("What the player before laid; any one of them may be taken.")),
    (
        pgettext_lazy("term", "stock"),
        _l("The closed cards. Whoever takes from it sees the card only when the set is laid."),
    ),
    (
        pgettext_lazy("term", "to declare"),
        _l("To say that one holds the least; all hands are shown and the deal is over."),
    ),
    (
        pgettext_lazy("term", "caught"),
        _l("Declared although somebody held less: scores 20 and the difference."),
    ),
    (
        pgettext_lazy("term", "knocked out"),
        _l("Has more points than the limit and plays no further deal of the match."),
    ),
)

_PARTS: tuple[tuple[Text, tuple[tuple[Text, Text], ...]], ...] = (
    (_l("Both games"), _BOTH),
    (_l("3-Card Loo"), _LOO),
    (_l("Least Score"), _LEAST),
)


def glossary_parts() -> list[tuple[str, list[Entry]]]:
    """Return the glossary in parts: a title in the active language and its entries."""
    return [(str(title), [_entry(*row) for row in rows]) for title, rows in _PARTS]


def _entry(term: Text, meaning: Text) -> Entry:
    words = {}
    for code, _name in settings.LANGUAGES:
        with override(code):
            words[code] = str(term)
    return Entry(words, str(meaning))

"""The first deal of Least Score: a run, a pair, an open card, the stock, and a declaration."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _l

from games.lessons.scenes import Scene, Step, deck_of

DEAL = Scene(
    title=_l("A deal to the declaration"),
    options={},
    seats=3,
    dealer=3,
    learner=1,
    deck=deck_of(
        ["7C 8H 9D KS 5S", "JC 9S 6H 6D 3D", "QC 4S 5H 6S AH"],
        "2C 4D 2D 8S 9C 3H KD TC",
    ),
    steps=(
        Step(
            _l(
                "Welcome to a table of three. You hold five cards and want as few points as possible. An ace counts 1, jack, queen and king 10, other cards their number. Beside your name stands what you hold: 39."
            )
        ),
        Step(
            _l(
                "A turn has two parts: lay a card or a set, then take one card. A set is a pair, four of a kind, a run of three or five, or five cards of one suit."
            )
        ),
        Step(
            _l(
                "You begin. You hold a run: seven, eight and nine. Choose these three cards, and then take the open two of clubs in the middle."
            ),
            ask=("7C 8H 9D > 2C",),
            instead=(
                (
                    "7C 8H 9D > stock",
                    _l(
                        "The run is right. But a card of the stock counts between 6 and 7 on average, and the open two only 2. Choose the run again and take the two."
                    ),
                ),
                (
                    "*",
                    _l(
                        "You may, but the run takes 24 points out of your hand at once. Choose seven, eight and nine, then the open two."
                    ),
                ),
            ),
        ),
        Step(
            _l(
                "You hold 17 now. Juhan lays a jack and takes from the stock. Leida lays four, five and six: a run, whose suits may differ. You may take any one card of it, also from the middle."
            ),
            moves=("JC > stock", "4S 5H 6S > stock"),
        ),
        Step(
            _l(
                "You hold a five. Another five would make a pair that you can lay together in your next turn. Lay the card that counts most, and take the five from the middle of the run."
            ),
            ask=("KS > 5H",),
            instead=(
                (
                    "declare",
                    _l(
                        "From your second turn on you may declare that you hold the least. But 17 is a lot: whoever is below you would make you pay 20 points and the difference. Lay a card instead."
                    ),
                ),
                (
                    "KS > *",
                    _l(
                        "The king is right. But the five makes a pair with your five, and both will go at once. Take the five of hearts."
                    ),
                ),
                (
                    "*",
                    _l(
                        "You may, but the king counts 10, more than any other card. Lay the king and take the five."
                    ),
                ),
            ),
        ),
        Step(
            _l(
                "Juhan lays a pair of sixes, Leida a queen. The queen is the only open card, and it counts 10. Lay your two fives and take from the stock instead: you see its card only when your set is laid."
            ),
            moves=("6D 6H > stock", "QC > stock"),
            ask=("5H 5S > stock",),
            instead=(
                (
                    "declare",
                    _l(
                        "You may declare with 12. But somebody may hold less, and that costs 20 points and the difference. Lay the pair first."
                    ),
                ),
                (
                    "5H 5S > *",
                    _l(
                        "The pair is right. But the queen counts 10: take a card of the stock, which is lower on average."
                    ),
                ),
                (
                    "*",
                    _l(
                        "You may, but the two fives go together and take 10 points along. Choose both, then the stock."
                    ),
                ),
            ),
        ),
        Step(
            _l(
                "A three! You hold 5 points. The others have taken cards they do not show. If nobody is below you when you declare, you score nothing and they score what they hold above you. If somebody is below you, you score 20 and the difference."
            ),
            moves=("9S > stock", "9C > stock"),
        ),
        Step(
            _l(
                "Every further turn gives the others time to become lower. Declare now; the table asks once more before it counts."
            ),
            ask=("declare",),
            instead=(("*", _l("You may go on, but with 5 points it is time: press Declare.")),),
        ),
        Step(
            _l(
                "All hands are shown. Nobody had less: you score nothing, the others the difference. Deals follow, and whoever gets above 100 points is knocked out. Now sit down and play!"
            )
        ),
    ),
)

SCENES = (DEAL,)

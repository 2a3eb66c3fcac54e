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
                "Welcome! Everybody holds five cards and wants them to count as little as possible. Yours lie at the bottom. Nothing is timed. Read, and press Next."
            )
        ),
        Step(
            _l(
                "An ace counts 1, jack, queen and king 10 each, the other cards their number. Above your cards stands what you hold now: 39."
            )
        ),
        Step(
            _l(
                "A turn has two parts: first you lay a card, or a set of cards that go together, and then you take one card. With a set your hand becomes smaller."
            )
        ),
        Step(
            _l(
                "A set is two or four of one rank, such as two sevens; a run, that is, three or five cards in a row, such as seven, eight, nine; or five cards of one suit."
            )
        ),
        Step(
            _l(
                "You begin, and you hold a run: seven, eight and nine. Tap these three cards. Then tap the two of clubs in the middle: that is the card you take."
            ),
            ask=("7C 8H 9D > 2C",),
            instead=(
                (
                    "7C 8H 9D > stock",
                    _l(
                        "The run is right. But the stock, the pile of closed cards, gives you between 6 and 7 points on average, and the two only 2. Now tap the two of clubs."
                    ),
                ),
                (
                    "*",
                    _l(
                        "You may, but the run takes 24 points out of your hand at once. Tap seven, eight and nine, then the two of clubs."
                    ),
                ),
            ),
            why=(
                (
                    "first_turn",
                    _l(
                        "Declaring ends the deal, and nobody may do it on the first turn. Tap seven, eight and nine, then the two of clubs."
                    ),
                ),
            ),
        ),
        Step(
            _l(
                "You hold 17 now. Juhan lays a jack and takes the top card of the stock, the pile of closed cards. Leida lays four, five and six: also a run, for suits may differ."
            ),
            moves=("JC > stock", "4S 5H 6S > stock"),
        ),
        Step(
            _l(
                "You may take any one card that the player before you laid, also from the middle. Leida’s five would make a pair with yours. Tap your king, then that five."
            ),
            ask=("KS > 5H",),
            instead=(
                (
                    "declare",
                    _l(
                        "From your second turn on you may declare that you hold the least. But 17 is a lot: if somebody holds less, you get 20 points and more. Tap the king, then the five."
                    ),
                ),
                (
                    "KS > *",
                    _l(
                        "The king is right. But Leida’s five makes a pair with your five, and both will go at once. Tap the five of hearts."
                    ),
                ),
                (
                    "*",
                    _l(
                        "You may, but the king counts 10, more than any other card. Tap the king, then the five of hearts."
                    ),
                ),
            ),
        ),
        Step(
            _l(
                "Juhan lays a pair of sixes, Leida a queen. She counts 10, so leave her there. Tap your two fives, then the stock. You see its card only when your set is laid."
            ),
            moves=("6D 6H > stock", "QC > stock"),
            ask=("5H 5S > stock",),
            instead=(
                (
                    "declare",
                    _l(
                        "You may declare with 12. But somebody may hold less, and that costs 20 points and the difference. Lay the pair first: tap your two fives, then the stock."
                    ),
                ),
                (
                    "5H 5S > *",
                    _l(
                        "The pair is right. But the queen counts 10, and a card of the stock less on average. Tap the stock."
                    ),
                ),
                (
                    "*",
                    _l(
                        "You may, but the two fives go together and take 10 points along. Tap both, then the stock."
                    ),
                ),
            ),
        ),
        Step(
            _l(
                "A three! You hold 5 points. The others have taken cards that you cannot see. Whoever believes that nobody holds less may declare: then all show their hands."
            ),
            moves=("9S > stock", "9C > stock"),
        ),
        Step(
            _l(
                "If nobody holds less than you, you get no points, and the others what they hold above you. If somebody does, you get 20 points and the difference, and they get none."
            )
        ),
        Step(
            _l(
                "5 is little, and every further turn gives the others time to become lower. Press Declare; the table asks once more before it counts."
            ),
            ask=("declare",),
            instead=(("*", _l("You may go on, but with 5 points it is time: press Declare.")),),
        ),
        Step(
            _l(
                "All hands are shown, and nobody has less. You get no points, the others what they hold above your 5. Points are bad: they are added up deal after deal."
            )
        ),
        Step(
            _l(
                "Whoever gets above 100 points is knocked out, and the last one left wins the match. Now play! At the table the lamp at the top gives you a hint at any time."
            )
        ),
    ),
)

SCENES = (DEAL,)

"""The first deals of 3-Card Loo: a hand that is played, and a miss that is defended."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _l

from games.lessons.scenes import Scene, Step, deck_of

FIRST = Scene(
    title=_l("A hand that is played"),
    options={},
    seats=5,
    dealer=5,
    learner=3,
    deck=deck_of(
        ["9H KS 5D", "2C 3D 4S", "KH 4H AC", "6C 8D TS", "3C 6D 9S", "JH 8H AS"],
        "7H",
    ),
    steps=(
        Step(
            _l(
                "Welcome! Everybody holds three cards: yours lie at the bottom, and four others sit round the table. Nothing is timed. Read, and press Next."
            )
        ),
        Step(
            _l(
                "Before the cards, the dealer pays 3 stakes to the pot, which lies in the middle. Stakes are what this game is counted in. Salme deals now, and is marked D."
            )
        ),
        Step(
            _l(
                "There are four suits: hearts, diamonds, clubs and spades. The seven of hearts was turned up, so hearts are trumps: every heart beats every card of the other suits."
            )
        ),
        Step(
            _l(
                "Within a suit the ace is highest, then king, queen, jack, ten, and down to two. The seven is out of play. So only the ace of hearts can beat your king."
            )
        ),
        Step(
            _l(
                "Three tricks are played. To a trick each player gives one card, and the best card takes it. Every trick earns its taker a third of the pot: 1 stake here."
            )
        ),
        Step(
            _l(
                "But whoever plays and takes no trick is looed, and pays 3 stakes into the next pot. So everybody first says in turn whether they play, or fold and sit this deal out."
            )
        ),
        Step(
            _l(
                "Aino plays. Juhan has poor cards and swaps them all for the miss, three spare cards that nobody has seen. Only one player may have it. Now you: what do you say?"
            ),
            moves=("play", "miss"),
            ask=("play",),
            instead=(
                (
                    "*",
                    _l(
                        "You may fold, it costs nothing. But your king of trumps takes a trick nearly always. Press Play."
                    ),
                ),
            ),
            why=(("miss_taken", _l("There is only one miss, and Juhan has taken it. Press Play.")),),
        ),
        Step(
            _l(
                "Oskar and Salme fold: this deal costs them nothing more. Three of you play. Who sits nearest the dealer’s left leads, that is, plays the first card: Aino."
            ),
            moves=("fold", "fold"),
        ),
        Step(
            _l(
                "Aino leads the nine of hearts. The others must follow suit, that is, play hearts too, and beat the best card yet if they can. Juhan’s jack does. Tap your card."
            ),
            moves=("9H", "JH"),
            ask=("KH",),
            why=(
                (
                    "must_follow",
                    _l(
                        "Hearts were led and you hold hearts, so you must follow suit. Tap the king of hearts."
                    ),
                ),
                (
                    "must_head",
                    _l(
                        "The four does not beat the jack, and your king does. Who can beat the best card must do so. Tap the king."
                    ),
                ),
            ),
        ),
        Step(
            _l(
                "The trick is yours, so you cannot be looed any more, and you lead to the next. Who holds a trump must lead one. Cards that you may play have a golden edge."
            ),
            ask=("4H",),
            why=(
                (
                    "must_lead_trump",
                    _l("You still hold a trump, so you must lead it. Tap the four of hearts."),
                ),
            ),
        ),
        Step(
            _l(
                "Aino has no heart left and throws a diamond away. Juhan’s eight takes the trick, and Juhan leads a spade. Who has neither the suit nor a trump plays anything. Tap your last card."
            ),
            moves=("5D", "8H", "AS"),
            ask=("AC",),
        ),
        Step(
            _l(
                "Your ace took nothing: it is neither a spade nor a trump. Two tricks earn Juhan 2 stakes, yours earns you 1. Aino has none and is looed. Salme’s 3 were for dealing."
            ),
            moves=("KS",),
        ),
    ),
)

DEFENCE = Scene(
    title=_l("A miss that is defended"),
    options={},
    seats=5,
    dealer=3,
    learner=3,
    pot=6,
    deck=deck_of(
        ["2H 5S TD", "3S 6D 8H", "KC AD 8D", "4D 7S JH", "2D 4S 7H", "5C 3C 9H"],
        "6C",
    ),
    steps=(
        Step(
            _l(
                "Some deals later you are the dealer. 6 stakes lay in the pot and you have paid 3, so each trick is worth 3 now. Clubs are trumps, and your cards are poor."
            )
        ),
        Step(
            _l(
                "The dealer speaks last. Oskar, Salme and Juhan fold, Aino plays, and nobody took the miss. Then you may not fold: somebody must play against Aino for the pot."
            ),
            moves=("fold", "fold", "play", "fold"),
        ),
        Step(
            _l(
                "Who defends plays the miss on behalf of the pot: that dealer wins nothing and pays nothing. Which choice costs you nothing, whatever happens?"
            ),
            ask=("defend",),
            instead=(
                (
                    "play",
                    _l(
                        "You may play your own cards, but they will hardly take a trick, and then you pay 3 stakes. Press Defend."
                    ),
                ),
                (
                    "miss",
                    _l(
                        "You may take the miss for yourself, but if it takes no trick you pay 3 stakes. Who defends plays the same cards and never pays. Press Defend."
                    ),
                ),
            ),
            why=(
                (
                    "may_not_fold",
                    _l("Aino is the only one who plays, so the dealer may not fold. Press Defend."),
                ),
            ),
        ),
        Step(
            _l(
                "These cards were the miss. When only two play, a trump that is led must be the highest held: Aino leads the king. You must follow suit. Which club do you give away?"
            ),
            moves=("KC",),
            ask=("3C",),
            instead=(
                ("*", _l("You may. But neither beats the king, so give the lower one and keep the five.")),
            ),
            why=(
                (
                    "must_follow",
                    _l("Clubs were led and you hold clubs, so you must follow suit. Tap the three of clubs."),
                ),
            ),
        ),
        Step(
            _l(
                "Aino takes the trick and leads the ace of diamonds. You have no diamond. Who cannot follow suit must trump, that is, play a trump, if they hold one."
            ),
            moves=("AD",),
            ask=("5C",),
            why=(
                (
                    "must_trump",
                    _l("You hold no diamond, but a trump: then you must trump. Tap the five of clubs."),
                ),
            ),
        ),
        Step(
            _l("Even a small trump beats an ace of another suit: the trick is yours. Lead your last card."),
            ask=("9H",),
        ),
        Step(
            _l(
                "Aino took one trick and wins 3 stakes. Your two were for the pot: 6 stakes stay in it. You win nothing and pay nothing for them. Your 3 were for dealing."
            ),
            moves=("8D",),
        ),
        Step(
            _l(
                "A match is over when everybody has dealt once; the most stakes win. Now play! At the table the lamp at the top gives you a hint at any time."
            )
        ),
    ),
)

SCENES = (FIRST, DEFENCE)

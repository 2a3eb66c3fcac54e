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
                "Welcome to a table of five. Your three cards lie at the bottom. Salme deals, marked D, and has paid 3 stakes to the pot."
            )
        ),
        Step(
            _l(
                "The seven of hearts was turned up: hearts are trumps. Every heart beats every card of the other suits. The seven itself is out of play."
            )
        ),
        Step(
            _l(
                "Three tricks will be played. Each earns its taker a third of the pot, here 1 stake. But whoever plays and takes no trick is looed and pays 3 stakes."
            )
        ),
        Step(
            _l(
                "First everybody says in turn whether they play. Aino plays. Juhan has poor cards and takes the miss: three spare cards that nobody has seen. Now you. Only the ace of hearts is above your king. What do you say?"
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
        ),
        Step(
            _l(
                "Oskar and Salme fold: this deal costs them nothing more. Three of you play. Who is in and sits nearest the dealer's left leads: that is Aino."
            ),
            moves=("fold", "fold"),
        ),
        Step(
            _l(
                "Aino leads the nine of hearts: whoever holds a trump must lead one. Juhan must follow suit and beat the nine, and plays the jack. The same duties are yours. Which card do you play?"
            ),
            moves=("9H", "JH"),
            ask=("KH",),
        ),
        Step(
            _l(
                "The trick is yours, and you will not be looed. Its winner leads to the next one. Which card must that be?"
            ),
            ask=("4H",),
        ),
        Step(
            _l(
                "Aino has no heart left and throws a diamond away. Juhan's eight beats your four, so Juhan leads next: the ace of spades. You have neither a spade nor a trump. Then any card will do; play your last one."
            ),
            moves=("5D", "8H", "AS"),
            ask=("AC",),
        ),
        Step(
            _l(
                "The deal is over. Juhan took two tricks and wins 2 stakes, you took one and win 1. Aino took none, is looed and pays 3 stakes into the next pot."
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
                "Some deals later the deal has come to you. 6 stakes lay in the pot and you have paid 3: each trick is worth 3 now. Clubs are trumps, and your hand is poor."
            )
        ),
        Step(
            _l(
                "The others speak first, you speak last. Oskar, Salme and Juhan fold, only Aino plays, and nobody has taken the miss. So you may not fold: somebody must play for the pot. Which choice costs you nothing, whatever happens?"
            ),
            moves=("fold", "fold", "play", "fold"),
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
        ),
        Step(
            _l(
                "You have laid your hand aside and play the miss for the pot. With only two players a trump that is led must be the highest held: Aino leads the king of clubs. You must follow suit but cannot beat it. Which club do you give away?"
            ),
            moves=("KC",),
            ask=("3C",),
            instead=(
                ("*", _l("You may. But neither beats the king, so give the lower one and keep the five.")),
            ),
        ),
        Step(
            _l(
                "Aino takes the trick and leads the ace of diamonds. You have no diamond. Who cannot follow suit must trump."
            ),
            moves=("AD",),
            ask=("5C",),
        ),
        Step(
            _l("Even a small trump beats an ace of another suit: the trick is yours. Lead your last card."),
            ask=("9H",),
        ),
        Step(
            _l(
                "Aino took one trick and wins 3 stakes. Your two tricks were for the pot: 6 stakes stay in it for the next deal. You win nothing and pay nothing for them. Now sit down and play!"
            ),
            moves=("8D",),
        ),
    ),
)

SCENES = (FIRST, DEFENCE)

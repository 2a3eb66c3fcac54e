"""Refusals that the rules of a game can give, each with a stable code.

A refusal is caused by what a person (or a file) asked for and is shown to that
person; anything else that goes wrong in the rules is a bug and is raised as an
ordinary exception.
"""


class Refusal(Exception):
    """A request that the rules refuse.

    ``code`` is stable and language independent; the site translates it.
    ``detail`` is an English phrase for command-line tools and logs.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = code
        self.detail = detail or code.replace("_", " ")
        super().__init__(self.detail)


class MalformedMove(Refusal):
    """The text is not a move of this game at all (``parse_move``)."""


class IllegalMove(Refusal):
    """A well-formed move that the rules do not allow in this state (``apply``)."""


class BadOptions(Refusal):
    """An unknown option, or a value that the option does not have."""


class BadDeal(Refusal):
    """Seats, dealer, deck or pot from which no deal can be started."""

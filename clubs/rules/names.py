"""Names that people choose for the tables: which are allowed, and which look alike.

A name is read by strangers, beside other names. It must not pretend to be
another one, hide anything, or reach out of its line.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 40
LONGEST_KEY = 160
"""Some single letters come apart into a whole word when names are compared."""

SIGNS = frozenset(" -.'’_()!&+")
MARKS_IN_A_ROW = 2

# Letters of other alphabets, and digits, that look like a Latin letter in most fonts.
LOOKALIKES = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕԁԛԝһӏ", "abekmhopctyxijsdqwhl", strict=True)),
        **dict(zip("αβεικνορτυχγω", "abeiknoptyxyw", strict=True)),
        "0": "o",
        "1": "l",
        "ı": "i",
        "ø": "o",
        "đ": "d",
        "ħ": "h",
        "ł": "l",
    }
)
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")
CAPITAL_I_IN_A_WORD = re.compile(r"(?<=[^\W\d_A-Z])I+")
GUEST = re.compile(r"(guest|külaline|kulaline)\s*\d*", re.IGNORECASE)


def tidy(name: str) -> str:
    """Return a name as it is kept: letters composed, one space between words and none around them."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def fault_of(name: str) -> str:
    """Return the code of what is wrong with a tidy name, empty if nothing is.

    ``name_empty``, ``name_too_long``, ``name_characters`` (anything but letters, digits and a
    few signs), ``name_mixed`` (letters of several alphabets), ``name_guest`` (looks like a guest's).
    """
    if not any(character.isalnum() for character in name):
        return "name_empty"
    if len(name) > LONGEST or len(key_of(name)) > LONGEST_KEY:
        return "name_too_long"
    if not all(_allowed(character) for character in name) or _too_many_marks(name):
        return "name_characters"
    if len({script for character in name if (script := _script(character))}) > 1:
        return "name_mixed"
    if GUEST.fullmatch(name):
        return "name_guest"
    return ""


def key_of(name: str) -> str:
    """Return what names that look alike have in common; two people must not have the same.

    Capitals, spaces, signs, wide or small forms and look-alikes of Latin letters make no difference.
    Marks above letters do: Mart and Märt are two names.
    """
    plain = CAPITAL_I_IN_A_WORD.sub(lambda found: "l" * len(found[0]), unicodedata.normalize("NFKC", name))
    folded = unicodedata.normalize("NFKC", plain.casefold()).translate(LOOKALIKES)
    return "".join(character for character in folded if unicodedata.category(character)[0] in "LMN")


def _allowed(character: str) -> bool:
    return character in SIGNS or unicodedata.category(character)[0] in "LMN"


def _too_many_marks(name: str) -> bool:
    """Whether more marks stand on one letter than any language puts there."""
    row = 0
    for character in name:
        row = row + 1 if unicodedata.category(character)[0] == "M" else 0
        if row > MARKS_IN_A_ROW:
            return True
    return unicodedata.category(name[0])[0] == "M"


def _script(character: str) -> str:
    """Return the alphabet of a letter, if it is one of those that look alike."""
    if not character.isalpha():
        return ""
    return next((script for script in SCRIPTS if script in unicodedata.name(character, "")), "")

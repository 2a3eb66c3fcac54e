"""What is refused to people about themselves."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_noop as N_

from clubs.errors.refusal import Refusal

MESSAGES: Mapping[str, str] = {
    "name_empty": N_("Choose a name with at least one letter or digit."),
    "name_too_long": N_("That name is too long: 40 characters at most."),
    "name_characters": N_(
        "A name is made of letters, digits, spaces and the signs - . ' ’ _ ( ) ! & + alone."
    ),
    "name_mixed": N_("Write the name in one alphabet: letters of several look alike."),
    "name_guest": N_("That is what guests are called here: choose another name."),
    "name_taken": N_("Somebody here has that name or one that looks like it: add a second name or a number."),
    "has_chips": N_(
        "You still have chips: %(detail)s. Ask a treasurer to redeem them, or give them to the club below."
    ),
    "owes_chips": N_("You owe the club chips: settle that with a treasurer first."),
    "has_holds": N_("Chips of yours are set aside for an event: withdraw from it first."),
    "at_a_table": N_("You still sit at a table: leave it, and wait until its deal is over."),
    "in_an_event": N_("You are entered for an event that is not over: withdraw from it first."),
    "last_owner": N_("You are the only owner of a club: make somebody else an owner first."),
    "last_keeper": N_("You are the only keeper of the site: make somebody else a keeper first."),
    "is_guest": N_("Sign up first."),
    "already_erased": N_("That account is erased."),
    "wrong_confirmation": N_("Write your user name to confirm."),
}


class PersonRefusal(Refusal):
    """What somebody asked about themselves, or a keeper about a person, is refused."""

    messages = MESSAGES

"""What is refused about clubs, their members and invitations."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_noop as N_

from clubs.errors.refusal import Refusal

MESSAGES: Mapping[str, str] = {
    "not_allowed": N_("Your role in the club does not allow that."),
    "no_such_member": N_("There is no such member in the club."),
    "own_roles": N_("Nobody changes their own roles: ask another owner."),
    "last_owner": N_("A club has at least one owner: make somebody else an owner first."),
    "owners_only": N_("Only an owner does that to somebody who has a role in the club."),
    "not_yourself": N_("You cannot ban yourself. You can leave the club."),
    "already_member": N_("You are a member of this club already."),
    "not_member": N_("You are not a member of this club."),
    "banned": N_("You cannot join this club."),
    "joining_closed": N_("This club is joined by invitation alone."),
    "already_asked": N_("Your request waits for the club’s organisers already."),
    "asked_too_often": N_("You have asked this club several times today. Try again tomorrow."),
    "no_such_request": N_("There is no such request, or it is decided already."),
    "account_needed": N_("Guests cannot join a club. Sign up or sign in first."),
    "bad_invitation": N_(
        "This invitation does not hold: it was used up, has run out or was taken back. Ask for a new one."
    ),
    "no_such_invitation": N_("There is no such invitation."),
    "too_many_tries": N_("Too many invitations were tried from here. Wait a few minutes."),
    "too_many_invitations": N_("The club has too many open invitations. Take some back first."),
    "bad_role": N_("There is no such role, or an invitation cannot give it."),
    "bad_uses": N_("An invitation is for 1 to 500 people and holds for 1 to 90 days."),
    "bad_name": N_("A club’s name has 1 to 60 characters, at least one of them a letter or digit."),
    "bad_slug": N_(
        "The address is made of small letters a to z, digits and hyphens; it begins with a letter or digit."
    ),
    "slug_taken": N_("Another club has this address."),
    "bad_terms": N_("Choose one of what is offered."),
    "already_founded": N_("This site’s club is set up already."),
    "bad_key": N_("That is not the key. It stands where the server was started."),
}


class ClubRefusal(Refusal):
    """What a person asked of a club is refused."""

    messages = MESSAGES

"""What Django's own admin says to those who look after the site: named here, so that it is said in the words of this
site's catalogue. Django's Estonian says “te” and puts the names of things into cases that they are not in."""

from __future__ import annotations

from django.utils.translation import gettext_noop as N_
from django.utils.translation import ngettext_lazy

HEADINGS = (
    N_("Add %s"),
    N_("Change %s"),
    N_("View %s"),
    N_("Select %s"),
    N_("Select %s to change"),
    N_("Select %s to view"),
    N_("%(app)s administration"),
    N_("Site administration"),
    N_("Change history: %s"),
    N_("Recent actions"),
    N_("My actions"),
    N_("None available"),
)
"""What stands above a page or a part of it."""

LISTS = (
    N_("Go"),
    N_("Not empty"),
    N_("Hide counts"),
    N_("Show counts"),
    N_("Click here to select the objects across all pages"),
    N_("Select all %(total_count)s %(module_name)s"),
    N_("Select this object for an action - {}"),
    N_("Select all objects on this page for an action"),
    N_("Items must be selected in order to perform actions on them. No items have been changed."),
    N_("Change password"),
    N_("Add another %(verbose_name)s"),
    N_("Delete selected %(verbose_name_plural)s"),
)
"""Lists, and what is done with their rows."""

FIELDS = (
    N_("username"),
    N_("Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only."),
    N_("last login"),
    N_("date joined"),
    N_("active"),
    N_(
        "Designates whether this user should be treated as active. Unselect this instead of deleting accounts."
    ),
    N_("group"),
    N_("groups"),
)
"""An account and its rights."""

SECOND_STEPS = (N_("Recovery codes"), N_("TOTP Authenticator"), N_("WebAuthn"))
"""What allauth calls the second steps that a person has."""

MESSAGES = (
    N_("The {name} “{obj}” was added successfully."),
    N_("You may edit it again below."),
    N_("The {name} “{obj}” was added successfully. You may add another {name} below."),
    N_("The {name} “{obj}” was changed successfully."),
    N_("The {name} “{obj}” was changed successfully. You may edit it again below."),
    N_("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    N_("The %(name)s “%(obj)s” was deleted successfully."),
    N_("Successfully deleted %(count)d %(items)s."),
    N_("%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"),
    N_("You don’t have permission to view or edit anything."),
    ngettext_lazy("Please correct the error below.", "Please correct the errors below."),
    N_("This object doesn’t have a change history. It probably wasn’t added via this admin site."),
    N_("Added {name} “{object}”."),
    N_("Changed {fields}."),
    N_("Changed {fields} for {name} “{object}”."),
    N_("Deleted {name} “{object}”."),
)
"""What was done, and what cannot be."""

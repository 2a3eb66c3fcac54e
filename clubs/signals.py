"""What happens to people, for the apps above that keep something of theirs; all sent inside the transaction.

A receiver that finds that something must be done first raises ``PersonRefusal``
(from ``may_erase``), and nothing is done at all.
"""

from django.dispatch import Signal

guest_joined = Signal()
"""A guest signed in to an account: ``guest`` and ``member`` are users; what the guest played becomes the member's."""

may_erase = Signal()
"""``user`` is to be erased: raise ``PersonRefusal`` if something must be settled first. Write nothing.

``gives_chips`` says that the person lets the club have the chips that are left.
"""

erased = Signal()
"""``user`` is being erased: take the name off whatever tells of the person. The row is still as it was."""

told_about = Signal()
"""``user`` asks for all that is kept about them: return ``{name: JSON-ready value}``; what others keep to themselves stays out."""

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

profile_shown = Signal()
"""The page of ``person`` is shown to ``viewer``, who may see it: return ``{"template": name, ...}`` for a section, or ``None``."""

sent_away = Signal()
"""``user`` left ``club`` or was banned from it by ``by``: give up the person's places there and close the sockets."""

club_shown = Signal()
"""The page of ``club`` is shown to ``viewer``: return ``{"template": name, ...}`` for a section, or ``None``."""

club_acts = Signal()
"""The log of ``club`` is read: return the newest ``most`` acts before the moment ``before``, each as
``{"at", "by", "what"}`` and, if there are, ``"about"``, ``"why"`` and ``"address"``."""

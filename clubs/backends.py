"""Rights by role: what a person may do in a club because of the roles there."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import BaseBackend

from clubs.selectors import club_id_of, rights_anywhere, rights_in


class ClubRights(BaseBackend):
    """Let ``user.has_perm(right, obj)`` mean "in the club of ``obj``", and without ``obj`` "in some club".

    Signs nobody in. Groups and permissions that are given to a person in the
    admin hold at every club; Django's own backend would forget them as soon as
    an object is named.
    """

    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        """Return every right in the club of ``obj``, or of all the person's clubs together."""
        if not user_obj.is_active or user_obj.is_anonymous:
            return set()
        return set(rights_anywhere(user_obj) if obj is None else rights_in(user_obj, club_id_of(obj)))

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        """Whether the person has the right there."""
        return perm in self.get_all_permissions(user_obj, obj)

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        """Whether the person has any right of an app in some club."""
        return any(right.startswith(f"{app_label}.") for right in self.get_all_permissions(user_obj))

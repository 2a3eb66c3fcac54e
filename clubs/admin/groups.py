"""Groups in the admin: rights in bundles, for people who keep or audit more than one club."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_permission_codename
from django.contrib.auth.admin import GroupAdmin as UsualGroupAdmin
from django.contrib.auth.models import Group, Permission
from django.db.models import Case, ManyToManyField, Value, When
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from clubs.rules.rights import ROLES_BY_RIGHT
from clubs.wording import GROUP_NAMES, group_in_words, right_in_words

admin.site.unregister(Group)


class Boxes(forms.CheckboxSelectMultiple):
    """Boxes to tick, under headings: a list from which several are chosen needs a key that phones have not."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        """Return the boxes from a template of the site, where Django looks for none of its forms."""
        named = {"label": self.attrs.get("aria-label", "")}
        return render_to_string("admin/boxes.html", self.get_context(name, value, attrs) | named)


def as_told() -> Lower:
    """The order of groups by what they are called in words."""
    told = (When(name=name, then=Value(group_in_words(name))) for name in GROUP_NAMES)
    return Lower(Case(*told, default="name"))


@admin.register(Group)
class GroupAdmin(UsualGroupAdmin):
    """Rights in bundles. What the groups of the site are called is told in words; the code knows them by their names."""

    list_display = ("told",)
    search_fields = ()
    filter_horizontal = ()
    readonly_fields = ("told",)
    adding = _("New group")
    deleting = _("Whoever is in it loses its rights.")

    @admin.display(description=_("name"))
    def told(self, group: Group) -> str:
        """What the group is called."""
        return capfirst(group_in_words(group.name))

    def get_ordering(self, request: HttpRequest) -> tuple[Any, ...]:
        """By what people read, not by the names that the code knows."""
        return (as_told(),)

    def get_fields(self, request: HttpRequest, obj: Group | None = None) -> tuple[str, ...]:
        """A group that the site was made with keeps its name: migrations give it rights by it."""
        return ("told" if obj and obj.name in GROUP_NAMES else "name", "permissions")

    def formfield_for_manytomany(  # type: ignore[override]
        self, db_field: ManyToManyField[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer the rights that do something, in words, by part of the site."""
        held = set(Permission.objects.filter(group__isnull=False).values_list("pk", flat=True))
        every = Permission.objects.select_related("content_type")
        rights = [right for right in every if right.pk in held or _does_something(request, right)]
        field: Any = super().formfield_for_manytomany(
            db_field,
            request,
            **kwargs,
            queryset=Permission.objects.filter(pk__in=[right.pk for right in rights]),
            widget=Boxes(attrs={"aria-label": capfirst(db_field.verbose_name)}),
        )
        field.choices = list(_by_part(rights))
        return field

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, Any, Any]:
        """The groups alone: the pairs of a group and a right that go with them have no names."""
        _all, _counts, lacking, protected = super().get_deleted_objects(objs, request)
        return (
            [self.told(group) for group in objs],
            {self.opts.verbose_name_plural: len(objs)},
            lacking,
            protected,
        )

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show a group under its name in words."""
        group = context["original"]
        named = {"heading": self.told(group)} if group else {}
        answer: HttpResponse = super().render_change_form(request, context | named, *args, **kwargs)
        return answer

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        """Ask by its name in words."""
        named = {"heading": self.told(context["object"]), "deleting": self.deleting}
        answer: HttpResponse = super().render_delete_form(request, context | named)
        return answer

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Tell what was changed under the group's name in words."""
        group = self.get_object(request, object_id)
        named = {"heading": self.told(group)} if group else {}
        answer: HttpResponse = super().history_view(request, object_id, named | (extra_context or {}))
        return answer


def _does_something(request: HttpRequest, right: Permission) -> bool:
    """Return whether the site asks for a right: by a role, by a name of its own, or on a page of the admin that is open."""
    if f"{right.content_type.app_label}.{right.codename}" in ROLES_BY_RIGHT:
        return True
    model = right.content_type.model_class()
    # Accounts are a matter of the keepers alone, whatever rights somebody has.
    if model is None or model is User or not admin.site.is_registered(model):
        return False
    if right.codename in dict(model._meta.permissions):
        return True
    action = right.codename.partition("_")[0]
    if right.codename != get_permission_codename(action, model._meta):
        return False
    return bool(getattr(admin.site.get_model_admin(model), f"has_{action}_permission")(request))


def _by_part(rights: Iterable[Permission]) -> Iterable[tuple[str, list[tuple[int, str]]]]:
    """Group rights by the part of the site that they are for: its name, and each right's number and words."""
    told = sorted((_part(right), right_in_words(right), right.pk) for right in rights)
    for part, those in groupby(told, key=lambda each: each[0]):
        yield part, [(pk, words) for _part, words, pk in those]


def _part(right: Permission) -> str:
    model = right.content_type.model_class()
    return capfirst(str(model._meta.app_config.verbose_name)) if model else right.content_type.app_label

"""People in the admin, for the keepers of the site: to find, to help at the doors, to switch off."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allauth.account import admin as _addresses  # noqa: F401 - registers what is taken away below
from allauth.account.models import EmailAddress
from allauth.mfa import admin as _factors  # noqa: F401
from allauth.mfa.models import Authenticator
from allauth.usersessions import admin as _sessions  # noqa: F401
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import Field, ManyToManyField, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs import selectors, services
from clubs.adapters import confirm_again, link_for_new_password
from clubs.admin.groups import Boxes, as_told
from clubs.errors import PersonRefusal
from clubs.models import User
from clubs.wording import group_in_words

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[User]
else:
    ModelAdmin = admin.ModelAdmin

# Secrets and addresses are not to be browsed; what keepers may do about them is below.
for _model in (EmailAddress, Authenticator, UserSession):
    admin.site.unregister(_model)


@admin.register(User)
class UserAdmin(ModelAdmin):
    """Who has an account. Names and passwords are their owners'; what is done here goes through the services."""

    list_display = (
        "username",
        "display_name",
        "written_to",
        "is_guest",
        "is_active",
        "is_staff",
        "last_login",
    )
    list_filter = ("is_active", "is_guest", "is_staff", "is_superuser")
    search_fields = ("username", "display_name", "email")
    search_help_text = _("A name, a user name or an e-mail address, or a part of one.")
    ordering = ("-date_joined",)
    show_full_result_count = False
    list_per_page = 50
    actions = (
        "send_confirmation",
        "make_password_link",
        "end_sessions",
        "reset_second_factor",
        "deactivate",
        "activate",
        "erase",
    )
    fields = (
        *("username", "display_name", "address", "is_guest", "language"),
        *("date_joined", "last_login", "second_factors", "sessions"),
        *("is_active", "is_staff", "is_superuser", "groups"),
    )
    readonly_fields = (
        *("username", "display_name", "address", "is_guest", "language"),
        *("date_joined", "last_login", "second_factors", "sessions", "is_active"),
    )

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Accounts are the matter of the keepers of the site."""
        return request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keepers alone."""
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keepers alone; an erased person is nobody any more."""
        return request.user.is_superuser and (obj is None or obj.erased_at is None)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never: people sign up, with a password that only they know."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: what others played with them would go too. Erasing leaves a row without a name."""
        return False

    def formfield_for_dbfield(self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any) -> Any:
        """Groups are made on their own page, not beside a person."""
        field: Any = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "groups":
            field.widget.can_add_related = False
        return field

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer the groups as boxes, under their names in words."""
        boxes = Boxes(attrs={"aria-label": capfirst(db_field.verbose_name)})
        field: Any = super().formfield_for_manytomany(db_field, request, **kwargs, widget=boxes)
        field.choices = [
            (group.pk, capfirst(group_in_words(group.name))) for group in Group.objects.order_by(as_told())
        ]
        field.help_text = _("Their rights hold at every club, beside the roles that clubs give.")
        return field

    @admin.display(description=_("e-mail address"), ordering="email")
    def written_to(self, user: User) -> str:
        """The address as the list tells it."""
        return user.email

    @admin.display(description=_("e-mail address"))
    def address(self, user: User) -> str:
        """The address in use and whether it is confirmed."""
        found = selectors.address_of(user)
        if not found.email:
            return "–"
        # Not inside the f-string: gettext's extractor does not look there.
        state = gettext("confirmed") if found.confirmed else gettext("not confirmed")
        return f"{found.email} ({state})"

    @admin.display(description=_("second step"))
    def second_factors(self, user: User) -> str:
        """What kinds of second step the person has."""
        kinds = Authenticator.objects.filter(user=user).order_by("type").values_list("type", flat=True)
        return ", ".join(str(Authenticator.Type(kind).label) for kind in dict.fromkeys(kinds)) or "–"

    @admin.display(description=_("sessions"))
    def sessions(self, user: User) -> int:
        """In how many browsers the person is signed in."""
        number: int = UserSession.objects.filter(user=user).count()
        return number

    @admin.action(description=_("Send the mail that confirms the address once more"))
    def send_confirmation(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Write to those whose address is not confirmed."""
        sent = sum(confirm_again(request, user) for user in people)
        messages.success(request, gettext("Mails written: %(number)s.") % {"number": sent})

    @admin.action(description=_("Make a link with which a new password can be chosen, to hand over"))
    def make_password_link(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Show a link for one person who cannot get mails; it works once."""
        for user in people.filter(is_active=True, is_guest=False)[:5]:
            messages.info(request, f"{user.shown_name}: {link_for_new_password(request, user)}")

    @admin.action(description=_("Sign out everywhere"))
    def end_sessions(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """End all sessions; open tables close at once."""
        self._each(request, people, lambda user: services.end_sessions(user=user))

    @admin.action(description=_("Take the second step away (app, passkeys, spare codes)"))
    def reset_second_factor(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """For who has lost all of them: make sure who asks."""
        self._each(request, people, lambda user: services.reset_second_factor(user=user))

    @admin.action(description=_("Switch off: nobody signs in, open tables close at once"))
    def deactivate(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Switch accounts off, but for one's own."""
        others = people.exclude(pk=request.user.pk or 0)
        self._each(request, others, lambda user: services.deactivate(user=user))

    @admin.action(description=_("Switch on again"))
    def activate(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Switch accounts on."""
        self._each(request, people, lambda user: services.activate(user=user))

    @admin.action(description=_("Erase for ever (those that are switched off)"))
    def erase(self, request: HttpRequest, people: QuerySet[User]) -> TemplateResponse | None:
        """Erase people who asked for it. Switching off comes first and a question second, so that nobody is erased by a slip."""
        off = people.filter(is_active=False)
        if off and "sure" not in request.POST:
            context = {**self.admin_site.each_context(request), "opts": self.opts, "people": off}
            return TemplateResponse(request, "admin/clubs/erase.html", context)
        self._each(request, off, lambda user: services.erase(user=user))
        return None

    def _each(self, request: HttpRequest, people: QuerySet[User], act: Callable[[User], object]) -> None:
        """Do something with each, and say with whom it was refused and why."""
        done = 0
        for user in people:
            name = user.shown_name
            try:
                act(user)
            except PersonRefusal as refusal:
                messages.error(request, f"{name}: {refusal.message}")
            else:
                done += 1
                # The log of the admin must not repeat the name of who was erased just now.
                user.refresh_from_db()
                self.log_change(request, user, request.POST.get("action", ""))
        messages.success(request, gettext("Done with %(number)s.") % {"number": done})

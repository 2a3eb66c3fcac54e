"""Django's makemessages, which also finds texts marked with this project's short names ``N_`` and ``_l``."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """``manage.py makemessages -l et``."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=N_", "--keyword=_l"]

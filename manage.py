#!/usr/bin/env python
"""Django's command line for the card-club site."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # The settings say in one sentence what is missing; where they noticed it helps nobody.
        sys.exit(str(error))

"""Looking at pages of the audit desk."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from clubs.models import User


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def user_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def look(client: Client, page: str, *args: object, query: str = "", status: int = 200) -> str:
    """The text of a page of the admin."""
    response = client.get(reverse(f"admin:ledger_{page}", args=args) + query)
    assert response.status_code == status
    return shown(response)


def shown(response: Any) -> str:
    return " ".join(strip_tags(response.content.decode().replace("><", "> <")).replace("&#x27;", "'").split())


def rows(client: Client, model: str, query: str) -> list[str]:
    """The numbers of what a list leads to."""
    page = client.get(reverse(f"admin:ledger_{model}_changelist") + query).content.decode()
    return re.findall(r'<th class="field-[a-z_]+"[^>]*><a href="[^"]*/([0-9]+)/change/[^"]*">', page)

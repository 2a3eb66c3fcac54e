"""Tables in the admin: to look at and to close, for everybody, superusers included."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client

from clubs.models import User
from games.models import ArchiveFile, Deal, Table
from tests.games.tables import member, on_turn, open_table, play_to_the_end, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(client: Client) -> Client:
    client.force_login(User.objects.create_superuser(username="keeper", password="a good long password"))
    return client


def test_even_a_superuser_cannot_add_change_or_delete_a_table(keeper: Client) -> None:
    table = open_table("least_score", member("mari"))
    assert keeper.get("/admin/games/table/").status_code == 200
    assert keeper.get(f"/admin/games/table/{table.id}/change/").status_code == 200
    assert keeper.get("/admin/games/table/add/").status_code == 403
    assert keeper.post(f"/admin/games/table/{table.id}/change/", {"version": 7}).status_code == 403
    assert keeper.post(f"/admin/games/table/{table.id}/delete/", {"post": "yes"}).status_code == 403


def test_the_secret_end_of_the_chain_is_on_no_page(keeper: Client) -> None:
    table = open_table("least_score", member("mari"))
    page = keeper.get(f"/admin/games/table/{table.id}/change/").content.decode()
    assert bytes(table.chain_end).hex() not in page
    assert repr(bytes(table.chain_end)) not in page
    assert "chain_end" not in page


def test_a_running_deal_is_not_in_the_admin(keeper: Client) -> None:
    table = on_turn("least_score", member("mari"))
    deal = Deal.objects.get(table=table)
    assert keeper.get(f"/admin/games/deal/{deal.pk}/change/").status_code in (302, 404)
    assert str(table.id) not in keeper.get("/admin/games/deal/").content.decode()


def test_a_list_of_deals_names_who_dealt(keeper: Client) -> None:
    """It told the number of the dealer's seat alone."""
    table = on_turn("three_card_loo", member("mari"))
    play_to_the_end(table)
    deal = Deal.objects.filter(table=table).earliest("number")
    dealer = table.seats.get(number=deal.dealer)
    for address in ("", f"{deal.pk}/change/"):
        page = keeper.get(f"/admin/games/deal/{address}").content.decode()
        assert f"{dealer.shown_name}, seat {dealer.number}" in page


def test_a_file_of_logs_is_of_a_month_and_not_of_its_first_day(keeper: Client) -> None:
    """It told "1 October 2026", and the path of the file for a heading, with a capital that the file has not."""
    sizes = {"size": 7, "tables": 1, "entries": 1, "sha256": bytes(32), "manifest_sha256": bytes(32)}
    club = open_table("least_score", member("mari")).club
    file = ArchiveFile.objects.create(club=club, month="2026-10-01", part=1, name="club-1/2026-10", **sizes)
    for address in ("", f"{file.pk}/change/"):
        page = keeper.get(f"/admin/games/archivefile/{address}").content.decode()
        assert "October 2026" in page and "1 October 2026" not in page, address
    assert f"<h1>{club}, October 2026, part 1</h1>" in page


def test_the_action_closes_tables(keeper: Client) -> None:
    table = open_table("least_score", member("mari"))
    start(table)
    keeper.post("/admin/games/table/", {"action": "close_tables", "_selected_action": [str(table.id)]})
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED


def test_staff_who_may_only_look_are_not_offered_the_action(client: Client) -> None:
    viewer = User.objects.create_user(username="viewer", password="a good long password", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_table"))
    client.force_login(viewer)
    table = open_table("least_score", member("mari"))
    start(table)
    assert "close_tables" not in client.get("/admin/games/table/").content.decode()
    client.post("/admin/games/table/", {"action": "close_tables", "_selected_action": [str(table.id)]})
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING


def test_the_command_closes_a_table_and_says_what_is_wrong() -> None:
    table = open_table("least_score", member("mari"))
    call_command("close_table", str(table.id))
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    for wrong in ("nonsense", "00000000-0000-0000-0000-000000000000"):
        with pytest.raises(CommandError):
            call_command("close_table", wrong)

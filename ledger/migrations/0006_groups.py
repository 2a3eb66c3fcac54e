"""Who may do what with the book: permissions of its own, and the four groups of a club's desk."""

from django.db import migrations

LOOK = [
    ("account", "view_account"),
    ("transaction", "view_transaction"),
    ("posting", "view_posting"),
    ("asset", "view_asset"),
    ("seal", "view_seal"),
    ("leaf", "view_leaf"),
    ("verification", "view_verification"),
    ("creditline", "view_creditline"),
    ("adjustment", "view_adjustment"),
]
GROUPS = {
    "viewer": LOOK,
    "auditor": [*LOOK, ("account", "export_book"), ("adjustment", "request_adjustment")],
    "approver": [*LOOK, ("adjustment", "approve_adjustment")],
    "treasurer": [*LOOK, ("account", "treasure"), ("account", "export_book"), ("adjustment", "request_adjustment")],
}


def create_groups(apps, schema_editor):
    """Permissions are usually made after all migrations; the groups need theirs now."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    Group = apps.get_model("auth", "Group")
    for name, rights in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        for model, codename in rights:
            kind, _ = ContentType.objects.get_or_create(app_label="ledger", model=model)
            right, _ = Permission.objects.get_or_create(
                content_type=kind, codename=codename, defaults={"name": codename.replace("_", " ").capitalize()}
            )
            group.permissions.add(right)


def remove_groups(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=GROUPS).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0005_guards"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="account",
            options={
                "permissions": [
                    ("treasure", "May give out, take back and move chips"),
                    ("export_book", "May export the book"),
                ],
                "verbose_name": "account",
                "verbose_name_plural": "accounts",
            },
        ),
        migrations.AlterModelOptions(
            name="adjustment",
            options={
                "permissions": [
                    ("request_adjustment", "May ask for a reversal"),
                    ("approve_adjustment", "May approve or reject a reversal that somebody else asked for"),
                ],
                "verbose_name": "adjustment",
                "verbose_name_plural": "adjustments",
            },
        ),
        migrations.RunPython(create_groups, remove_groups),
    ]

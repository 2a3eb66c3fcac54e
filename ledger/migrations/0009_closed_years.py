"""Closed years of the book: a table that nobody rewrites, and who may read it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import ledger.models.fields

# ENABLE ALWAYS: an ordinary trigger is switched off by `session_replication_role = replica`.
GUARD = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger_closedyear
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON ledger_closedyear
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
ALTER TABLE ledger_closedyear ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE ledger_closedyear ENABLE ALWAYS TRIGGER never_emptied;
"""

# What the site's role may do with everything that went before stays as it was.
GRANT = """
ALTER FUNCTION ledger_grant(name) RENAME TO ledger_grant_exports;
CREATE FUNCTION ledger_grant(p_role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM ledger_grant_exports(p_role);
    EXECUTE format('REVOKE ALL ON ledger_closedyear FROM %1$I', p_role);
    EXECUTE format('GRANT SELECT, INSERT ON ledger_closedyear TO %1$I', p_role);
END
$$;
REVOKE EXECUTE ON FUNCTION ledger_grant FROM PUBLIC;
"""
UNGRANT = """
DROP FUNCTION ledger_grant(name);
ALTER FUNCTION ledger_grant_exports(name) RENAME TO ledger_grant;
"""

GROUPS = ("viewer", "auditor", "approver", "treasurer")


def grant(apps, schema_editor):
    """Give the site's role its rights, if the server has that role and it is not the owner itself."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_grant(rolname) FROM pg_roles WHERE rolname = %s AND rolname <> current_user",
            [settings.SITE_DB_ROLE],
        )


def let_look(apps, schema_editor):
    """Every group of the desk may see which years were closed."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    kind, _ = ContentType.objects.get_or_create(app_label="ledger", model="closedyear")
    right, _ = Permission.objects.get_or_create(
        content_type=kind, codename="view_closedyear", defaults={"name": "Can view closed year"}
    )
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.add(right)


def nothing(apps, schema_editor):
    """The permission goes with its table."""


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0004_api_tokens"),
        ("ledger", "0008_clubs"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClosedYear",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("year", models.PositiveSmallIntegerField(verbose_name="year")),
                ("last_seal", models.BigIntegerField(verbose_name="last seal")),
                ("transactions", models.BigIntegerField(verbose_name="transactions")),
                ("postings", models.BigIntegerField(verbose_name="postings")),
                ("size", models.BigIntegerField(verbose_name="bytes")),
                ("sha256", models.BinaryField(max_length=32, verbose_name="SHA-256")),
                ("file", models.CharField(max_length=120, unique=True, verbose_name="file")),
                ("closed_by", models.UUIDField(verbose_name="closed by")),
                (
                    "closed_at",
                    models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), verbose_name="closed"),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="clubs.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "verbose_name": "closed year",
                "verbose_name_plural": "closed years",
                "default_permissions": ("view",),
                "constraints": [models.UniqueConstraint(fields=("club", "year"), name="year_closed_once")],
            },
        ),
        migrations.RunSQL([GUARD, GRANT], [UNGRANT]),
        migrations.RunPython(grant, nothing),
        migrations.RunPython(let_look, nothing),
    ]

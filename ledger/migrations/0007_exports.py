"""Exports of the book and what came of them: two tables that nobody rewrites, and who may read them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import ledger.models.fields

TABLES = ("ledger_export", "ledger_exportresult")

# ENABLE ALWAYS: an ordinary trigger is switched off by `session_replication_role = replica`.
GUARD = "".join(
    f"""
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
    CREATE TRIGGER never_emptied BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
    ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only;
    ALTER TABLE {table} ENABLE ALWAYS TRIGGER never_emptied;
    """
    for table in TABLES
)

# What the site's role may do with everything that went before stays as it was.
GRANT = """
ALTER FUNCTION ledger_grant(name) RENAME TO ledger_grant_book;
CREATE FUNCTION ledger_grant(p_role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM ledger_grant_book(p_role);
    EXECUTE format('REVOKE ALL ON ledger_export, ledger_exportresult FROM %1$I', p_role);
    EXECUTE format('GRANT SELECT, INSERT ON ledger_export, ledger_exportresult TO %1$I', p_role);
END
$$;
REVOKE EXECUTE ON FUNCTION ledger_grant FROM PUBLIC;
"""
UNGRANT = """
DROP FUNCTION ledger_grant(name);
ALTER FUNCTION ledger_grant_book(name) RENAME TO ledger_grant;
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
    """Every group of the desk may see who took what out of the site."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    kind, _ = ContentType.objects.get_or_create(app_label="ledger", model="export")
    right, _ = Permission.objects.get_or_create(
        content_type=kind, codename="view_export", defaults={"name": "Can view export"}
    )
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.add(right)


def nothing(apps, schema_editor):
    """The permission goes with its table."""


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0006_groups"),
    ]

    operations = [
        migrations.CreateModel(
            name="Export",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "format",
                    models.CharField(
                        choices=[("csv", "postings as CSV"), ("beancount", "the whole book for Beancount")],
                        max_length=9,
                        verbose_name="format",
                    ),
                ),
                ("chosen", models.JSONField(default=dict, verbose_name="what was asked for")),
                ("requested_by", models.UUIDField(verbose_name="asked for by")),
                (
                    "requested_at",
                    models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), verbose_name="asked for"),
                ),
            ],
            options={"verbose_name": "export", "verbose_name_plural": "exports", "default_permissions": ("view",)},
        ),
        migrations.CreateModel(
            name="ExportResult",
            fields=[
                (
                    "export",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="result",
                        serialize=False,
                        to="ledger.export",
                        verbose_name="export",
                    ),
                ),
                ("started_at", models.DateTimeField(verbose_name="started")),
                (
                    "finished_at",
                    models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), verbose_name="finished"),
                ),
                ("rows", models.BigIntegerField(default=0, verbose_name="rows")),
                ("size", models.BigIntegerField(default=0, verbose_name="bytes")),
                ("sha256", models.BinaryField(max_length=32, null=True, verbose_name="SHA-256")),
                ("file", models.CharField(blank=True, max_length=120, verbose_name="file")),
                ("last_transaction", models.BigIntegerField(null=True, verbose_name="last transaction")),
                ("last_seal", models.BigIntegerField(null=True, verbose_name="last seal")),
                ("error", models.CharField(blank=True, max_length=500, verbose_name="what went wrong")),
            ],
            options={
                "verbose_name": "result of an export",
                "verbose_name_plural": "results of exports",
                "default_permissions": (),
            },
        ),
        migrations.AddConstraint(
            model_name="export",
            constraint=models.CheckConstraint(
                condition=models.Q(("format__in", ["csv", "beancount"])), name="export_format"
            ),
        ),
        migrations.AddConstraint(
            model_name="exportresult",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("error", ""), ("sha256__isnull", False), models.Q(("file", ""), _negated=True)),
                    models.Q(models.Q(("error", ""), _negated=True), ("file", ""), ("sha256__isnull", True)),
                    _connector="OR",
                ),
                name="export_file_or_error",
            ),
        ),
        migrations.RunSQL(
            [GUARD, GRANT],
            [UNGRANT],
        ),
        migrations.RunPython(grant, nothing),
        migrations.RunPython(let_look, nothing),
    ]

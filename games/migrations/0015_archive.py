"""Logs of old tables may leave the database for files, through one function and in no other way."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# An entry as a line of JSON: written into the file by one, compared with the rows before they go by the other.
LINES = """
CREATE FUNCTION games_log_lines(p_table uuid, p_last bigint) RETURNS TABLE (version bigint, line text)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT e.version, jsonb_build_object(
        'version', e.version, 'deal', d.number, 'ply', e.ply, 'seat', e.seat, 'move', e.move, 'by', e.by,
        'command', e.command_id, 'events', e.events,
        'at', to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')
    )::text
    FROM games_logentry e LEFT JOIN games_deal d ON d.id = e.deal_id
    WHERE e.table_id = p_table AND e.version <= p_last ORDER BY e.version
$$;
"""

# The only way out. It believes nothing: the table must be over for 30 days, and the digest that was recorded with
# the file must be that of the rows as they are.
REMOVE = """
CREATE FUNCTION games_remove_archived(p_file bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    kept record;
    found record;
    removed bigint := 0;
BEGIN
    FOR kept IN
        SELECT a.table_id, a.last_version, a.entries, a.sha256, t.status, t.finished_at
        FROM games_archivedlog a JOIN games_table t ON t.id = a.table_id WHERE a.file_id = p_file
    LOOP
        IF kept.status <> 'finished' OR kept.finished_at IS NULL
                OR kept.finished_at > clock_timestamp() - interval '30 days' THEN
            RAISE EXCEPTION USING ERRCODE = 'GA001',
                MESSAGE = format('table %s is not over for 30 days: its log stays', kept.table_id);
        END IF;
        SELECT count(*) AS entries, max(version) AS last_version,
            sha256(convert_to(coalesce(string_agg(line, E'\\n' ORDER BY version), ''), 'UTF8')) AS sha256
        INTO found FROM games_log_lines(kept.table_id, kept.last_version);
        IF (found.entries, found.last_version, found.sha256)
                IS DISTINCT FROM (kept.entries::bigint, kept.last_version, kept.sha256) THEN
            RAISE EXCEPTION USING ERRCODE = 'GA001',
                MESSAGE = format('the log of table %s is not what was recorded: it stays', kept.table_id);
        END IF;
        DELETE FROM games_logentry WHERE table_id = kept.table_id AND version <= kept.last_version;
        removed := removed + found.entries;
    END LOOP;
    RETURN removed;
END
$$;
REVOKE EXECUTE ON FUNCTION games_remove_archived FROM PUBLIC;
"""

REFUSE = """
CREATE FUNCTION games_refuse() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'GA001', MESSAGE = format('%s refuses %s', TG_TABLE_NAME, TG_OP);
END
$$;
CREATE FUNCTION games_only_archived() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM games_archivedlog WHERE table_id = OLD.table_id AND last_version >= OLD.version
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'GA001',
            MESSAGE = format('version %s of table %s is in no archive: it stays', OLD.version, OLD.table_id);
    END IF;
    RETURN OLD;
END
$$;
"""


def trigger(name, table, when, function, each="ROW"):
    """One trigger that no session can switch off."""
    return (
        f"CREATE TRIGGER {name} {when} ON {table} FOR EACH {each} EXECUTE FUNCTION {function}();"
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name};"
    )


GUARDS = "".join(
    [
        trigger("only_archived", "games_logentry", "BEFORE DELETE", "games_only_archived"),
        trigger("never_emptied", "games_logentry", "BEFORE TRUNCATE", "games_refuse", "STATEMENT"),
        *(
            trigger("append_only", table, "BEFORE UPDATE OR DELETE", "games_refuse")
            + trigger("never_emptied", table, "BEFORE TRUNCATE", "games_refuse", "STATEMENT")
            for table in ("games_archivefile", "games_archivedlog")
        ),
    ]
)

# The site adds to logs and archives, and takes nothing away but through the function.
GRANT = """
CREATE FUNCTION games_grant(p_role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('REVOKE ALL ON games_logentry, games_archivefile, games_archivedlog FROM %1$I', p_role);
    EXECUTE format('GRANT SELECT, INSERT ON games_logentry, games_archivefile, games_archivedlog TO %1$I', p_role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION games_remove_archived TO %1$I', p_role);
END
$$;
REVOKE EXECUTE ON FUNCTION games_grant FROM PUBLIC;
"""


def grant(apps, schema_editor):
    """Give the site's role its rights, if the server has that role and it is not the owner itself."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT games_grant(rolname) FROM pg_roles WHERE rolname = %s AND rolname <> current_user",
            [settings.SITE_DB_ROLE],
        )


def nothing(apps, schema_editor):
    """Going back, the tables are dropped or left to the owner; there is nothing to give back."""


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0004_api_tokens"),
        ("games", "0014_lessons"),
    ]

    operations = [
        migrations.CreateModel(
            name="ArchiveFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("month", models.DateField(verbose_name="month")),
                ("part", models.PositiveIntegerField(verbose_name="part")),
                ("name", models.CharField(max_length=120, unique=True, verbose_name="file")),
                ("size", models.PositiveBigIntegerField(verbose_name="bytes")),
                ("sha256", models.BinaryField(max_length=32, verbose_name="SHA-256")),
                ("manifest_sha256", models.BinaryField(max_length=32, verbose_name="SHA-256 of the manifest")),
                ("tables", models.PositiveIntegerField(verbose_name="tables")),
                ("entries", models.PositiveBigIntegerField(verbose_name="log entries")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made")),
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
                "verbose_name": "archive file",
                "verbose_name_plural": "archive files",
                "ordering": ["club", "month", "part"],
                "default_permissions": ("view",),
                "constraints": [
                    models.UniqueConstraint(fields=("club", "month", "part"), name="archive_part_once"),
                    models.CheckConstraint(
                        condition=models.Q(("entries__gt", 0), ("tables__gt", 0)), name="archive_not_empty"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ArchivedLog",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="archived",
                        serialize=False,
                        to="games.table",
                        verbose_name="table",
                    ),
                ),
                ("offset", models.PositiveBigIntegerField(verbose_name="begins at byte")),
                ("length", models.PositiveBigIntegerField(verbose_name="bytes")),
                ("entries", models.PositiveIntegerField(verbose_name="log entries")),
                ("last_version", models.PositiveBigIntegerField(verbose_name="last version")),
                ("sha256", models.BinaryField(max_length=32, verbose_name="SHA-256")),
                ("spans", models.JSONField(verbose_name="versions by deal")),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="logs",
                        to="games.archivefile",
                        verbose_name="archive file",
                    ),
                ),
            ],
            options={
                "verbose_name": "archived log",
                "verbose_name_plural": "archived logs",
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("entries__gt", 0), ("length__gt", 0)), name="archived_log_not_empty"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            [LINES, REMOVE, REFUSE, GUARDS, GRANT],
            [
                "DROP FUNCTION games_refuse, games_only_archived CASCADE",
                "DROP FUNCTION games_grant, games_remove_archived, games_log_lines",
            ],
        ),
        migrations.RunPython(grant, nothing),
    ]

"""The record of an event is only added to; and who may organise."""

from django.db import migrations

TABLES = ("action", "draw", "result", "knockedout")

FUNCTION = """
CREATE FUNCTION tournaments_only_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Forgetting a person takes the name off what they did; nothing else of a row may change.
    IF TG_OP = 'UPDATE' AND to_jsonb(NEW) ? 'by_id' AND NEW.by_id IS NULL
        AND to_jsonb(NEW) - 'by_id' = to_jsonb(OLD) - 'by_id' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% of % is refused: this record is only added to', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
"""
TRIGGER = """
CREATE TRIGGER {table}_only_added BEFORE UPDATE OR DELETE ON tournaments_{table}
    FOR EACH ROW EXECUTE FUNCTION {function}();
ALTER TABLE tournaments_{table} ENABLE ALWAYS TRIGGER {table}_only_added;
CREATE TRIGGER {table}_not_emptied BEFORE TRUNCATE ON tournaments_{table}
    FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();
ALTER TABLE tournaments_{table} ENABLE ALWAYS TRIGGER {table}_not_emptied;
"""
REFUSE = """
CREATE FUNCTION tournaments_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: this record is only added to', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
"""

def create_group(apps, schema_editor):
    """Permissions are usually made after all migrations; the group needs its own now."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    kind, _ = ContentType.objects.get_or_create(app_label="tournaments", model="tournament")
    right, _ = Permission.objects.get_or_create(
        content_type=kind, codename="organise", defaults={"name": "May organise events"}
    )
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name="organiser")
    group.permissions.add(right)


def remove_right(apps, schema_editor):
    apps.get_model("auth", "Permission").objects.filter(
        content_type__app_label="tournaments", codename="organise"
    ).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0001_events"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunSQL(
            REFUSE
            + FUNCTION
            + "".join(
                TRIGGER.format(
                    table=table,
                    function="tournaments_refuse" if table == "knockedout" else "tournaments_only_added",
                )
                for table in TABLES
            ),
            "".join(
                f"DROP TRIGGER {table}_only_added ON tournaments_{table};"
                f"DROP TRIGGER {table}_not_emptied ON tournaments_{table};"
                for table in TABLES
            )
            + "DROP FUNCTION tournaments_only_added(); DROP FUNCTION tournaments_refuse();",
        ),
        migrations.RunPython(create_group, remove_right),
    ]

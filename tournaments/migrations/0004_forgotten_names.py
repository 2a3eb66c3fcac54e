"""Forgetting a person takes the name out of the record of entering too."""

from django.db import migrations

FUNCTION = """
CREATE OR REPLACE FUNCTION tournaments_only_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Forgetting a person takes the name off what they did; nothing else of a row may change.
    IF TG_OP = 'UPDATE' AND to_jsonb(NEW) ? 'by_id' AND NEW.by_id IS NULL
        AND to_jsonb(NEW) - 'by_id' = to_jsonb(OLD) - 'by_id' THEN
        RETURN NEW;
    END IF;
    {names}
    RAISE EXCEPTION '% of % is refused: this record is only added to', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
"""
NAMES = """
    -- Who entered is written with a name; the number stays.
    IF TG_OP = 'UPDATE' AND to_jsonb(OLD) ->> 'kind' = 'entered'
        AND to_jsonb(NEW) - 'after' = to_jsonb(OLD) - 'after'
        AND to_jsonb(NEW) -> 'after' = (to_jsonb(OLD) -> 'after') - 'name' THEN
        RETURN NEW;
    END IF;
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_clubs")]

    operations = [migrations.RunSQL(FUNCTION.replace("{names}", NAMES), FUNCTION.replace("{names}", ""))]

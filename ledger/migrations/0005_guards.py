"""What nobody may do to the book, whoever is logged in, and what the site's role may do at all."""

from django.conf import settings
from django.db import migrations

# ENABLE ALWAYS: an ordinary trigger is switched off by `session_replication_role = replica`.
APPEND_ONLY = (
    "ledger_asset",
    "ledger_transaction",
    "ledger_posting",
    "ledger_seal",
    "ledger_leaf",
    "ledger_verification",
)
NEVER_EMPTIED = (*APPEND_ONLY, "ledger_account", "ledger_note", "ledger_creditline", "ledger_adjustment")

REFUSE = """
CREATE FUNCTION ledger_refuse() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'LD016', MESSAGE = format('%s refuses %s', TG_TABLE_NAME, TG_OP),
        HINT = 'The book is append only: a mistake is corrected by a reversing transaction.';
END
$$;
"""

# An account opens empty, under an id and a floor that its kind allows.
ACCOUNT_RULES = """
CREATE FUNCTION ledger_account_rules() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    floor_fits boolean := CASE
        WHEN NEW.kind = 'wallet' THEN NEW.min_balance IS NOT NULL AND NEW.min_balance <= 0
        WHEN NEW.kind IN ('mint', 'suspense') THEN NEW.min_balance IS NULL
        ELSE NEW.min_balance IS NOT DISTINCT FROM 0
    END;
BEGIN
    IF (NEW.kind IN ('wallet', 'seat')) <> (NEW.id < 1000000000000000) THEN
        RAISE EXCEPTION USING ERRCODE = 'check_violation', CONSTRAINT = 'account_house_ids_last',
            MESSAGE = format('a %s cannot have the id %s', NEW.kind, NEW.id);
    END IF;
    IF NOT floor_fits THEN
        RAISE EXCEPTION USING ERRCODE = 'check_violation', CONSTRAINT = 'account_floor_of_kind',
            MESSAGE = format('a %s cannot have the floor %s', NEW.kind, NEW.min_balance);
    END IF;
    IF TG_OP = 'INSERT' AND (NEW.seq, NEW.debits, NEW.credits, NEW.debits_pending, NEW.credits_pending)
            <> (0, 0, 0, 0, 0) THEN
        RAISE EXCEPTION USING ERRCODE = 'check_violation', CONSTRAINT = 'account_opens_empty',
            MESSAGE = 'an account opens empty';
    END IF;
    RETURN NEW;
END
$$;
"""

# Only an empty account is closed. (As a CHECK it would be prepared anew for every posting.)
ACCOUNT_CLOSING = """
CREATE FUNCTION ledger_account_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.closed_at IS NOT NULL AND (NEW.credits - NEW.debits, NEW.debits_pending, NEW.credits_pending) <> (0, 0, 0) THEN
        RAISE EXCEPTION USING ERRCODE = 'check_violation', CONSTRAINT = 'account_closed_empty',
            MESSAGE = format('account %s is not empty', NEW.id);
    END IF;
    RETURN NEW;
END
$$;
"""

# Free text may be blanked when a person is forgotten; nothing else of such a row ever changes.
ONLY_BLANK = """
CREATE FUNCTION ledger_only_blank() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF to_jsonb(NEW) IS DISTINCT FROM to_jsonb(OLD) || '{"reason": ""}' THEN
        RAISE EXCEPTION USING ERRCODE = 'LD016', MESSAGE = format('%s refuses %s', TG_TABLE_NAME, TG_OP);
    END IF;
    RETURN NEW;
END
$$;
"""

# A request is born undecided, is decided once, and what was asked never changes.
DECIDED_ONCE = """
CREATE FUNCTION ledger_decided_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    decision CONSTANT text[] := '{state,approved_by,rejected_by,decided_at,reversal_id}';
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'requested' THEN
            RAISE EXCEPTION USING ERRCODE = 'LD016', MESSAGE = 'a request begins undecided';
        END IF;
    ELSIF NOT (
        (OLD.state = 'requested' AND NEW.state <> 'requested' AND to_jsonb(NEW) - decision = to_jsonb(OLD) - decision)
        OR to_jsonb(NEW) = to_jsonb(OLD) || '{"reason": ""}'
    ) THEN
        RAISE EXCEPTION USING ERRCODE = 'LD016', MESSAGE = 'a request is decided once and never rewritten';
    END IF;
    RETURN NEW;
END
$$;
"""

# What the site's role may do. Balances and postings change through the functions only, which run as their owner.
GRANT = """
CREATE FUNCTION ledger_grant(p_role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    statement text;
BEGIN
    FOREACH statement IN ARRAY ARRAY[
        'REVOKE ALL ON ledger_asset, ledger_account, ledger_transaction, ledger_posting, ledger_note, ledger_seal,
            ledger_leaf, ledger_verification, ledger_creditline, ledger_adjustment, ledger_accountowner FROM %1$I',
        'REVOKE ALL ON SEQUENCE ledger_house_id FROM %1$I',
        'GRANT SELECT ON ledger_asset, ledger_account, ledger_transaction, ledger_posting, ledger_note, ledger_seal,
            ledger_leaf, ledger_verification, ledger_creditline, ledger_adjustment, ledger_accountowner TO %1$I',
        'GRANT INSERT ON ledger_asset, ledger_seal, ledger_leaf, ledger_verification, ledger_adjustment,
            ledger_accountowner TO %1$I',
        'GRANT UPDATE (state, approved_by, rejected_by, decided_at, reversal_id) ON ledger_adjustment TO %1$I',
        'GRANT DELETE ON ledger_accountowner TO %1$I',
        'GRANT EXECUTE ON FUNCTION ledger_post, ledger_post_one, ledger_open_account, ledger_close_account, ledger_set_credit,
            ledger_forget TO %1$I'
    ] LOOP
        EXECUTE format(statement, p_role);
    END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION ledger_grant FROM PUBLIC;
"""

# Hashes, salts and names have their length, whoever writes them. Domains again: see 0001.
LENGTHS = """
CREATE DOMAIN ledger_hash AS bytea CHECK (octet_length(VALUE) = 32);
CREATE DOMAIN ledger_salt AS bytea CHECK (octet_length(VALUE) = 16);
CREATE DOMAIN ledger_name AS varchar(200) CHECK (VALUE <> '');
ALTER TABLE ledger_transaction
    ALTER fingerprint TYPE ledger_hash, ALTER note_hash TYPE ledger_hash, ALTER salt TYPE ledger_salt,
    ALTER key TYPE ledger_name, ALTER kind TYPE ledger_name, ALTER source TYPE ledger_name;
ALTER TABLE ledger_note ALTER salt TYPE ledger_salt;
ALTER TABLE ledger_leaf ALTER hash TYPE ledger_hash;
"""
PLAIN = """
ALTER TABLE ledger_leaf ALTER hash TYPE bytea;
ALTER TABLE ledger_note ALTER salt TYPE bytea;
ALTER TABLE ledger_transaction
    ALTER fingerprint TYPE bytea, ALTER note_hash TYPE bytea, ALTER salt TYPE bytea,
    ALTER key TYPE varchar(200), ALTER kind TYPE varchar(40), ALTER source TYPE varchar(200);
DROP DOMAIN ledger_hash, ledger_salt, ledger_name;
"""


def trigger(name: str, table: str, when: str, function: str, each: str = "ROW") -> str:
    """One trigger that no session can switch off."""
    return (
        f"CREATE TRIGGER {name} {when} ON {table} FOR EACH {each} EXECUTE FUNCTION {function}();"
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name};"
    )


TRIGGERS = "".join(
    [
        *(trigger("append_only", table, "BEFORE UPDATE OR DELETE", "ledger_refuse") for table in APPEND_ONLY),
        *(trigger("never_emptied", table, "BEFORE TRUNCATE", "ledger_refuse", "STATEMENT") for table in NEVER_EMPTIED),
        trigger("stays", "ledger_account", "BEFORE DELETE", "ledger_refuse"),
        trigger(
            "same_for_ever",
            "ledger_account",
            "BEFORE UPDATE OF id, kind, ref, owner, asset_id, opened_at",
            "ledger_refuse",
        ),
        trigger("rules", "ledger_account", "BEFORE INSERT OR UPDATE OF min_balance", "ledger_account_rules"),
        trigger("closes_empty", "ledger_account", "BEFORE UPDATE OF closed_at", "ledger_account_closing"),
        # A closed account opens no more: only the first change of closed_at passes.
        """
        CREATE TRIGGER stays_closed BEFORE UPDATE OF closed_at ON ledger_account FOR EACH ROW
            WHEN (OLD.closed_at IS NOT NULL) EXECUTE FUNCTION ledger_refuse();
        ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER stays_closed;
        """,
        trigger("only_erased", "ledger_note", "BEFORE UPDATE", "ledger_refuse"),
        trigger("never_repointed", "ledger_accountowner", "BEFORE UPDATE", "ledger_refuse"),
        trigger("only_blanked", "ledger_creditline", "BEFORE UPDATE", "ledger_only_blank"),
        trigger("stays", "ledger_creditline", "BEFORE DELETE", "ledger_refuse"),
        trigger("decided_once", "ledger_adjustment", "BEFORE INSERT OR UPDATE", "ledger_decided_once"),
        trigger("stays", "ledger_adjustment", "BEFORE DELETE", "ledger_refuse"),
    ]
)


def grant(apps, schema_editor):
    """Give the site's role its rights, if the server has that role and it is not the owner itself."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_grant(rolname) FROM pg_roles WHERE rolname = %s AND rolname <> current_user",
            [settings.SITE_DB_ROLE],
        )


def ungrant(apps, schema_editor):
    """Going back, the tables are dropped or left to the owner; there is nothing to give back."""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_accounts")]

    operations = [
        migrations.RunSQL(
            [REFUSE, ACCOUNT_RULES, ACCOUNT_CLOSING, ONLY_BLANK, DECIDED_ONCE, GRANT, LENGTHS, TRIGGERS],
            [
                PLAIN,
                "DROP FUNCTION ledger_refuse, ledger_account_rules, ledger_account_closing, ledger_only_blank, ledger_decided_once CASCADE",
                "DROP FUNCTION ledger_grant",
            ],
        ),
        migrations.RunPython(grant, ungrant),
    ]

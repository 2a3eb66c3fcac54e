"""Functions that open and close accounts, set credit lines and forget a person: the other doors into the book."""

from django.db import migrations

# Get or create; two callers at once get the same account. The floor is 0 or none: below zero goes only a wallet, and only
# by a credit line on record.
OPEN = """
CREATE SEQUENCE ledger_house_id MINVALUE 1000000000000001;
CREATE FUNCTION ledger_open_account(p_kind text, p_ref text, p_asset text, p_owner uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    asset bigint;
    account ledger_account%ROWTYPE;
BEGIN
    SELECT id INTO asset FROM ledger_asset WHERE code = p_asset;
    IF asset IS NULL THEN
        PERFORM ledger_fail('LD017', 'unknown_asset', 'asset', p_asset);
    END IF;
    SELECT * INTO account FROM ledger_account WHERE kind = p_kind AND ref = p_ref AND asset_id = asset;
    IF NOT FOUND THEN
        INSERT INTO ledger_account (id, kind, ref, asset_id, owner, min_balance)
            VALUES (
                CASE WHEN p_kind IN ('wallet', 'seat')
                    THEN nextval(pg_get_serial_sequence('ledger_account', 'id')) ELSE nextval('ledger_house_id') END,
                p_kind, p_ref, asset, p_owner, CASE WHEN p_kind NOT IN ('mint', 'suspense') THEN 0 END
            )
            ON CONFLICT (kind, ref, asset_id) DO NOTHING
            RETURNING * INTO account;
        IF account.id IS NULL THEN
            SELECT * INTO account FROM ledger_account WHERE kind = p_kind AND ref = p_ref AND asset_id = asset;
        END IF;
    END IF;
    IF account.closed_at IS NOT NULL THEN
        PERFORM ledger_fail('LD003', 'closed', 'account', account.id::text);
    ELSIF account.owner IS DISTINCT FROM p_owner THEN
        PERFORM ledger_fail('LD018', 'other_owner', 'account', account.id::text);
    END IF;
    RETURN account.id;
END
$$;
"""

# Closing twice changes nothing; an account with chips or holds stays open.
CLOSE = """
CREATE FUNCTION ledger_close_account(p_account bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    account ledger_account%ROWTYPE;
BEGIN
    SELECT * INTO account FROM ledger_account WHERE id = p_account FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM ledger_fail('LD005', 'unknown_account', 'account', p_account::text);
    END IF;
    IF account.credits <> account.debits OR account.debits_pending <> 0 OR account.credits_pending <> 0 THEN
        PERFORM ledger_fail('LD015', 'not_empty', 'account', p_account::text);
    END IF;
    UPDATE ledger_account SET closed_at = clock_timestamp() WHERE id = p_account AND closed_at IS NULL;
END
$$;
"""

# A wallet's floor is minus its credit line; every change leaves a row behind.
CREDIT = """
CREATE FUNCTION ledger_set_credit(p_account bigint, p_credit bigint, p_by uuid, p_reason text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    account ledger_account%ROWTYPE;
    free bigint;
BEGIN
    IF p_credit NOT BETWEEN 0 AND 1000000000000 THEN
        PERFORM ledger_fail('LD006', 'bad_amount', 'amount', p_credit::text);
    END IF;
    SELECT * INTO account FROM ledger_account WHERE id = p_account FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM ledger_fail('LD005', 'unknown_account', 'account', p_account::text);
    ELSIF account.kind <> 'wallet' THEN
        PERFORM ledger_fail('LD019', 'not_a_wallet', 'account', p_account::text);
    ELSIF account.closed_at IS NOT NULL THEN
        PERFORM ledger_fail('LD003', 'closed', 'account', p_account::text);
    END IF;
    free := account.credits - account.debits - account.debits_pending + p_credit;
    IF free < 0 THEN
        PERFORM ledger_fail('LD020', 'credit_in_use', 'account', p_account::text, 'missing', (-free)::text);
    END IF;
    INSERT INTO ledger_creditline (account_id, credit, previous, set_by, reason)
        VALUES (p_account, p_credit, -account.min_balance, p_by, p_reason);
    UPDATE ledger_account SET min_balance = -p_credit WHERE id = p_account;
END
$$;
"""

# Drop everything that could tell who an owner is: free text about the owner's accounts and requests, and the mapping.
# The book itself has only the random id and stays as it is. The accounts must be empty; they are closed.
FORGET = """
CREATE FUNCTION ledger_forget(p_owner uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    accounts bigint[];
    touched bigint[];
BEGIN
    SELECT array_agg(a.id ORDER BY a.id) INTO accounts FROM ledger_account a WHERE a.owner = p_owner;
    PERFORM ledger_close_account(id) FROM unnest(accounts) AS id;
    SELECT array_agg(p.transaction_id) INTO touched FROM (
        SELECT transaction_id FROM ledger_posting WHERE debit_id = ANY (accounts)
        UNION SELECT transaction_id FROM ledger_posting WHERE credit_id = ANY (accounts)
    ) p;
    DELETE FROM ledger_note WHERE transaction_id = ANY (touched);
    UPDATE ledger_adjustment SET reason = '' WHERE transaction_id = ANY (touched) OR requested_by = p_owner;
    UPDATE ledger_creditline SET reason = '' WHERE account_id = ANY (accounts) OR set_by = p_owner;
    DELETE FROM ledger_accountowner WHERE id = p_owner;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_seal_log")]

    operations = [
        migrations.RunSQL(
            [
                OPEN,
                CLOSE,
                CREDIT,
                FORGET,
                "REVOKE EXECUTE ON FUNCTION ledger_open_account, ledger_close_account, ledger_set_credit, ledger_forget"
                " FROM PUBLIC",
            ],
            [
                "DROP FUNCTION ledger_forget, ledger_set_credit, ledger_close_account, ledger_open_account",
                "DROP SEQUENCE ledger_house_id",
            ],
        )
    ]

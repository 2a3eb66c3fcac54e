"""The one way into the book: ``ledger_post``. docs/ledger.md tells what it does, step by step."""

from django.db import migrations

# Entries of a hold or of a transaction to reverse, in the order of their postings. The row is locked, so that two
# requests to resolve or to reverse the same transaction wait for one another whatever accounts they touch.
TARGET = """
CREATE FUNCTION ledger_target(
    p_resolves bigint, p_reverses bigint, p_from bigint[], p_to bigint[],
    OUT debits bigint[], OUT credits bigint[], OUT amounts bigint[]
)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    target ledger_transaction%ROWTYPE;
BEGIN
    SELECT * INTO target FROM ledger_transaction
        WHERE id = coalesce(p_resolves, p_reverses) FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'LD013', MESSAGE = 'unknown_transaction',
            DETAIL = json_build_object('transaction', coalesce(p_resolves, p_reverses));
    END IF;
    IF p_resolves IS NOT NULL THEN
        IF target.state <> 'pending' THEN
            RAISE EXCEPTION USING ERRCODE = 'LD009', MESSAGE = 'not_pending',
                DETAIL = json_build_object('transaction', target.id);
        END IF;
        SELECT array_agg(p.debit_id ORDER BY n), array_agg(p.credit_id ORDER BY n), array_agg(p.amount ORDER BY n)
            INTO debits, credits, amounts
            FROM ledger_posting p WHERE p.transaction_id = target.id;
        RETURN;
    END IF;
    IF target.state NOT IN ('posted', 'post') THEN
        RAISE EXCEPTION USING ERRCODE = 'LD010', MESSAGE = 'not_posted',
            DETAIL = json_build_object('transaction', target.id);
    END IF;
    -- Swapped, in reverse order, each account replaced by its substitute if it has one; what then would go from an
    -- account to itself moves nothing and is left out.
    SELECT array_agg(s.debit ORDER BY s.n DESC), array_agg(s.credit ORDER BY s.n DESC),
            array_agg(s.amount ORDER BY s.n DESC)
        INTO debits, credits, amounts
        FROM (
            SELECT p.n, p.amount,
                coalesce(p_to[array_position(p_from, p.credit_id)], p.credit_id) AS debit,
                coalesce(p_to[array_position(p_from, p.debit_id)], p.debit_id) AS credit
            FROM ledger_posting p WHERE p.transaction_id = target.id
        ) s
        WHERE s.debit <> s.credit;
END
$$;
"""

POST = """
CREATE FUNCTION ledger_post(
    p_key text, p_fingerprint bytea, p_kind text, p_state text, p_source text, p_salt bytea,
    p_debits bigint[], p_credits bigint[], p_amounts bigint[],
    p_resolves bigint DEFAULT NULL, p_reverses bigint DEFAULT NULL,
    p_from bigint[] DEFAULT NULL, p_to bigint[] DEFAULT NULL,
    p_note text DEFAULT NULL, p_note_salt bytea DEFAULT NULL,
    OUT transaction_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_ids bigint[]; v_assets bigint[]; v_floors bigint[]; v_closed boolean[];
    v_debits bigint[]; v_credits bigint[]; v_debits_pending bigint[]; v_credits_pending bigint[]; v_seqs bigint[];
    v_now_at timestamptz;
    v_entries integer;
    d integer; c integer; v_amount bigint;
    v_entry_assets bigint[] := '{}';
    v_debit_after bigint[] := '{}'; v_debit_seq bigint[] := '{}';
    v_credit_after bigint[] := '{}'; v_credit_seq bigint[] := '{}';
    v_first_fingerprint bytea;
    v_resolver text;
BEGIN
    replayed := false;
    IF p_resolves IS NOT NULL OR p_reverses IS NOT NULL THEN
        SELECT t.debits, t.credits, t.amounts INTO p_debits, p_credits, p_amounts
            FROM ledger_target(p_resolves, p_reverses, p_from, p_to) t;
    END IF;

    -- 1. The request itself.
    v_entries := cardinality(p_debits);
    IF coalesce(v_entries, 0) NOT BETWEEN 1 AND 200
            OR cardinality(p_credits) IS DISTINCT FROM v_entries OR cardinality(p_amounts) IS DISTINCT FROM v_entries THEN
        RAISE EXCEPTION USING ERRCODE = 'LD012', MESSAGE = 'no_postings',
            DETAIL = json_build_object('count', coalesce(v_entries, 0));
    END IF;
    FOR i IN 1 .. v_entries LOOP
        IF p_amounts[i] IS NULL OR p_amounts[i] NOT BETWEEN 1 AND 1000000000000 THEN
            RAISE EXCEPTION USING ERRCODE = 'LD006', MESSAGE = 'bad_amount',
                DETAIL = json_build_object('amount', p_amounts[i]);
        END IF;
    END LOOP;

    -- 2. Lock every account, in ascending order of id: nobody can wait in a circle.
    SELECT array_agg(a.id), array_agg(a.asset_id), array_agg(a.min_balance), array_agg(a.closed_at IS NOT NULL),
            array_agg(a.debits), array_agg(a.credits),
            array_agg(a.debits_pending), array_agg(a.credits_pending), array_agg(a.seq),
            greatest(max(a.moved_at), clock_timestamp())
        INTO v_ids, v_assets, v_floors, v_closed, v_debits, v_credits, v_debits_pending, v_credits_pending, v_seqs, v_now_at
        FROM (
            SELECT * FROM ledger_account WHERE id = ANY (p_debits || p_credits) ORDER BY id FOR NO KEY UPDATE
        ) a;
    FOR i IN 1 .. v_entries LOOP
        d := array_position(v_ids, p_debits[i]);
        c := array_position(v_ids, p_credits[i]);
        IF d IS NULL OR c IS NULL THEN
            RAISE EXCEPTION USING ERRCODE = 'LD005', MESSAGE = 'unknown_account',
                DETAIL = json_build_object('account', CASE WHEN d IS NULL THEN p_debits[i] ELSE p_credits[i] END);
        END IF;
        IF d = c THEN
            RAISE EXCEPTION USING ERRCODE = 'LD011', MESSAGE = 'same_account',
                DETAIL = json_build_object('account', p_debits[i]);
        END IF;
        IF v_assets[d] <> v_assets[c] THEN
            RAISE EXCEPTION USING ERRCODE = 'LD004', MESSAGE = 'wrong_asset',
                DETAIL = json_build_object('debit', p_debits[i], 'credit', p_credits[i]);
        END IF;
    END LOOP;

    -- 3. The transaction, unless its key is there already: then the first one is the answer.
    IF p_resolves IS NOT NULL THEN
        SELECT t.key INTO v_resolver FROM ledger_transaction t WHERE t.resolves_id = p_resolves;
        IF v_resolver <> p_key THEN
            RAISE EXCEPTION USING ERRCODE = 'LD007', MESSAGE = 'already_resolved',
                DETAIL = json_build_object('transaction', p_resolves);
        END IF;
    ELSIF p_reverses IS NOT NULL THEN
        SELECT t.key INTO v_resolver FROM ledger_transaction t WHERE t.reverses_id = p_reverses;
        IF v_resolver <> p_key THEN
            RAISE EXCEPTION USING ERRCODE = 'LD008', MESSAGE = 'already_reversed',
                DETAIL = json_build_object('transaction', p_reverses);
        END IF;
    END IF;
    INSERT INTO ledger_transaction AS t
            (key, fingerprint, kind, state, resolves_id, reverses_id, source, salt, note_hash, at)
        VALUES (p_key, p_fingerprint, p_kind, p_state, p_resolves, p_reverses, p_source, p_salt,
            sha256(p_note_salt || convert_to(p_note, 'UTF8')), v_now_at)
        ON CONFLICT (key) DO NOTHING
        RETURNING t.id INTO transaction_id;
    IF transaction_id IS NULL THEN
        SELECT t.id, t.fingerprint INTO transaction_id, v_first_fingerprint FROM ledger_transaction t WHERE t.key = p_key;
        IF v_first_fingerprint <> p_fingerprint THEN
            RAISE EXCEPTION USING ERRCODE = 'LD001', MESSAGE = 'key_reused',
                DETAIL = json_build_object('key', p_key, 'transaction', transaction_id);
        END IF;
        replayed := true;
        RETURN;
    END IF;

    -- 4. Balances after each posting.
    FOR i IN 1 .. v_entries LOOP
        d := array_position(v_ids, p_debits[i]);
        c := array_position(v_ids, p_credits[i]);
        v_amount := p_amounts[i];
        IF v_closed[d] OR v_closed[c] THEN
            RAISE EXCEPTION USING ERRCODE = 'LD003', MESSAGE = 'closed',
                DETAIL = json_build_object('account', CASE WHEN v_closed[d] THEN v_ids[d] ELSE v_ids[c] END);
        END IF;
        IF p_state = 'pending' THEN
            v_debits_pending[d] := v_debits_pending[d] + v_amount;
            v_credits_pending[c] := v_credits_pending[c] + v_amount;
        ELSE
            IF p_state <> 'posted' THEN
                v_debits_pending[d] := v_debits_pending[d] - v_amount;
                v_credits_pending[c] := v_credits_pending[c] - v_amount;
            END IF;
            IF p_state <> 'void' THEN
                v_debits[d] := v_debits[d] + v_amount;
                v_credits[c] := v_credits[c] + v_amount;
            END IF;
        END IF;
        v_seqs[d] := v_seqs[d] + 1;
        v_seqs[c] := v_seqs[c] + 1;
        v_entry_assets[i] := v_assets[d];
        v_debit_after[i] := v_credits[d] - v_debits[d];
        v_debit_seq[i] := v_seqs[d];
        v_credit_after[i] := v_credits[c] - v_debits[c];
        v_credit_seq[i] := v_seqs[c];
    END LOOP;

    -- 5. No account below its floor, holds counted, once all postings are made.
    FOR i IN 1 .. cardinality(v_ids) LOOP
        IF greatest(v_debits[i], v_credits[i], v_debits_pending[i], v_credits_pending[i]) > 9007199254740991 THEN
            RAISE EXCEPTION USING ERRCODE = 'LD014', MESSAGE = 'too_large',
                DETAIL = json_build_object('account', v_ids[i]);
        END IF;
        IF v_credits[i] - v_debits[i] - v_debits_pending[i] < v_floors[i] THEN
            RAISE EXCEPTION USING ERRCODE = 'LD002', MESSAGE = 'insufficient',
                DETAIL = json_build_object(
                    'account', v_ids[i], 'short', v_floors[i] - (v_credits[i] - v_debits[i] - v_debits_pending[i]));
        END IF;
    END LOOP;

    -- 6. Write it down.
    INSERT INTO ledger_posting (transaction_id, n, asset_id, debit_id, credit_id, amount,
            debit_after, debit_seq, credit_after, credit_seq, at)
        SELECT transaction_id, e.n, e.asset, e.debit, e.credit, e.amount,
            e.debit_after, e.debit_seq, e.credit_after, e.credit_seq, v_now_at
        FROM unnest(v_entry_assets, p_debits, p_credits, p_amounts, v_debit_after, v_debit_seq, v_credit_after, v_credit_seq)
            WITH ORDINALITY AS e (asset, debit, credit, amount, debit_after, debit_seq, credit_after, credit_seq, n);
    UPDATE ledger_account a
        SET debits = v.debits, credits = v.credits, debits_pending = v.debits_pending,
            credits_pending = v.credits_pending, seq = v.seq, moved_at = v_now_at
        FROM unnest(v_ids, v_debits, v_credits, v_debits_pending, v_credits_pending, v_seqs)
            AS v (id, debits, credits, debits_pending, credits_pending, seq)
        WHERE a.id = v.id;
    IF p_note IS NOT NULL THEN
        INSERT INTO ledger_note (transaction_id, salt, text) VALUES (transaction_id, p_note_salt, p_note);
    END IF;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_book")]

    operations = [
        migrations.RunSQL(
            [
                TARGET,
                POST,
                "REVOKE EXECUTE ON FUNCTION ledger_target FROM PUBLIC",
                "REVOKE EXECUTE ON FUNCTION ledger_post FROM PUBLIC",
            ],
            ["DROP FUNCTION ledger_post", "DROP FUNCTION ledger_target"],
        )
    ]

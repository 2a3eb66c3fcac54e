"""The one way into the book: ``ledger_post``. docs/ledger.md tells what it does, step by step."""

from django.db import migrations

# Refuse: the code travels twice, as SQLSTATE and as message; the detail is JSON for the program that asked.
FAIL = """
CREATE FUNCTION ledger_fail(p_state text, p_code text, VARIADIC p_detail text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = p_state, MESSAGE = p_code, DETAIL = json_object(p_detail);
END
$$;
"""

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
    SELECT * INTO target FROM ledger_transaction WHERE id = coalesce(p_resolves, p_reverses) FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM ledger_fail('LD013', 'unknown_transaction', 'transaction', coalesce(p_resolves, p_reverses)::text);
    END IF;
    IF p_resolves IS NOT NULL THEN
        IF target.state <> 'pending' THEN
            PERFORM ledger_fail('LD009', 'not_pending', 'transaction', target.id::text);
        END IF;
        SELECT array_agg(p.debit_id ORDER BY n), array_agg(p.credit_id ORDER BY n), array_agg(p.amount ORDER BY n)
            INTO debits, credits, amounts
            FROM ledger_posting p WHERE p.transaction_id = target.id;
        RETURN;
    END IF;
    IF target.state NOT IN ('posted', 'post') THEN
        PERFORM ledger_fail('LD010', 'not_posted', 'transaction', target.id::text);
    END IF;
    -- Swapped, last posting first, each account replaced by its substitute if it has one; what would then go from an
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

# Runs with the rights of its owner: whoever may call it can write the book in this way and in no other.
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
    -- One element per account, in ascending order of id.
    ids bigint[]; assets bigint[]; floors bigint[]; closed boolean[]; seqs bigint[];
    debited bigint[]; credited bigint[]; debited_pending bigint[]; credited_pending bigint[];
    -- One element per posting.
    entry_assets bigint[]; debits_after bigint[]; debit_seqs bigint[]; credits_after bigint[]; credit_seqs bigint[];
    entries integer := coalesce(cardinality(p_debits), 0);
    d integer; c integer; free bigint; moment timestamptz; resolver text; first_fingerprint bytea;
BEGIN
    -- 1. The request itself.
    IF p_resolves IS NOT NULL OR p_reverses IS NOT NULL THEN
        SELECT t.debits, t.credits, t.amounts, coalesce(cardinality(t.debits), 0)
            INTO p_debits, p_credits, p_amounts, entries
            FROM ledger_target(p_resolves, p_reverses, p_from, p_to) t;
    END IF;
    IF entries NOT BETWEEN 1 AND 200 OR cardinality(p_credits) IS DISTINCT FROM entries
            OR cardinality(p_amounts) IS DISTINCT FROM entries THEN
        PERFORM ledger_fail('LD012', 'bad_count', 'count', entries::text);
    END IF;
    FOR i IN 1 .. entries LOOP
        IF p_amounts[i] IS NULL OR p_amounts[i] NOT BETWEEN 1 AND 1000000000000 THEN
            PERFORM ledger_fail('LD006', 'bad_amount', 'amount', p_amounts[i]::text);
        END IF;
    END LOOP;

    -- 2. Lock every account, in ascending order of id: nobody can wait in a circle.
    SELECT array_agg(a.id), array_agg(a.asset_id), array_agg(a.min_balance), array_agg(a.closed_at IS NOT NULL),
            array_agg(a.debits), array_agg(a.credits), array_agg(a.debits_pending), array_agg(a.credits_pending),
            array_agg(a.seq), greatest(max(a.moved_at), clock_timestamp())
        INTO ids, assets, floors, closed, debited, credited, debited_pending, credited_pending, seqs, moment
        FROM (
            SELECT * FROM ledger_account WHERE id = ANY (p_debits || p_credits) ORDER BY id FOR NO KEY UPDATE
        ) a;
    FOR i IN 1 .. entries LOOP
        d := array_position(ids, p_debits[i]);
        c := array_position(ids, p_credits[i]);
        IF d IS NULL THEN
            PERFORM ledger_fail('LD005', 'unknown_account', 'account', p_debits[i]::text);
        ELSIF c IS NULL THEN
            PERFORM ledger_fail('LD005', 'unknown_account', 'account', p_credits[i]::text);
        ELSIF d = c THEN
            PERFORM ledger_fail('LD011', 'same_account', 'account', ids[d]::text);
        ELSIF assets[d] <> assets[c] THEN
            PERFORM ledger_fail('LD004', 'wrong_asset', 'debit', ids[d]::text, 'credit', ids[c]::text);
        END IF;
    END LOOP;

    -- 3. The transaction, unless its key is there already: then the first one is the answer.
    IF p_resolves IS NOT NULL THEN
        SELECT t.key INTO resolver FROM ledger_transaction t WHERE t.resolves_id = p_resolves;
        IF resolver <> p_key THEN
            PERFORM ledger_fail('LD007', 'already_resolved', 'transaction', p_resolves::text);
        END IF;
    ELSIF p_reverses IS NOT NULL THEN
        SELECT t.key INTO resolver FROM ledger_transaction t WHERE t.reverses_id = p_reverses;
        IF resolver <> p_key THEN
            PERFORM ledger_fail('LD008', 'already_reversed', 'transaction', p_reverses::text);
        END IF;
    END IF;
    INSERT INTO ledger_transaction AS t
            (key, fingerprint, kind, state, resolves_id, reverses_id, source, salt, note_hash, at)
        VALUES (p_key, p_fingerprint, p_kind, p_state, p_resolves, p_reverses, p_source, p_salt,
            sha256(p_note_salt || convert_to(p_note, 'UTF8')), moment)
        ON CONFLICT (key) DO NOTHING RETURNING t.id INTO transaction_id;
    replayed := transaction_id IS NULL;
    IF replayed THEN
        SELECT t.id, t.fingerprint INTO transaction_id, first_fingerprint
            FROM ledger_transaction t WHERE t.key = p_key;
        IF first_fingerprint <> p_fingerprint THEN
            PERFORM ledger_fail('LD001', 'key_reused', 'key', p_key, 'transaction', transaction_id::text);
        END IF;
        RETURN;
    END IF;

    -- 4. Totals, numbers and balances after each posting.
    FOR i IN 1 .. entries LOOP
        d := array_position(ids, p_debits[i]);
        c := array_position(ids, p_credits[i]);
        IF closed[d] OR closed[c] THEN
            PERFORM ledger_fail('LD003', 'closed', 'account', ids[CASE WHEN closed[d] THEN d ELSE c END]::text);
        END IF;
        IF p_state = 'pending' THEN
            debited_pending[d] := debited_pending[d] + p_amounts[i];
            credited_pending[c] := credited_pending[c] + p_amounts[i];
        ELSIF p_state IN ('post', 'void') THEN
            debited_pending[d] := debited_pending[d] - p_amounts[i];
            credited_pending[c] := credited_pending[c] - p_amounts[i];
        END IF;
        IF p_state IN ('posted', 'post') THEN
            debited[d] := debited[d] + p_amounts[i];
            credited[c] := credited[c] + p_amounts[i];
        END IF;
        seqs[d] := seqs[d] + 1;
        seqs[c] := seqs[c] + 1;
        entry_assets[i] := assets[d];
        debits_after[i] := credited[d] - debited[d];
        debit_seqs[i] := seqs[d];
        credits_after[i] := credited[c] - debited[c];
        credit_seqs[i] := seqs[c];
    END LOOP;

    -- 5. Once all postings are made, no account is below its floor; holds count.
    FOR i IN 1 .. cardinality(ids) LOOP
        IF greatest(debited[i], credited[i], debited_pending[i], credited_pending[i]) > 9007199254740991 THEN
            PERFORM ledger_fail('LD014', 'too_large', 'account', ids[i]::text);
        END IF;
        free := credited[i] - debited[i] - debited_pending[i] - floors[i];
        IF free < 0 THEN
            PERFORM ledger_fail('LD002', 'insufficient', 'account', ids[i]::text, 'missing', (-free)::text);
        END IF;
    END LOOP;

    -- 6. Write it down.
    INSERT INTO ledger_posting (transaction_id, n, asset_id, debit_id, credit_id, amount,
            debit_after, debit_seq, credit_after, credit_seq, at)
        SELECT transaction_id, e.n, e.asset, e.debit, e.credit, e.amount,
            e.debit_after, e.debit_seq, e.credit_after, e.credit_seq, moment
        FROM unnest(entry_assets, p_debits, p_credits, p_amounts, debits_after, debit_seqs, credits_after, credit_seqs)
            WITH ORDINALITY AS e (asset, debit, credit, amount, debit_after, debit_seq, credit_after, credit_seq, n);
    UPDATE ledger_account a SET
            debits = debited[array_position(ids, a.id)],
            credits = credited[array_position(ids, a.id)],
            debits_pending = debited_pending[array_position(ids, a.id)],
            credits_pending = credited_pending[array_position(ids, a.id)],
            seq = seqs[array_position(ids, a.id)],
            moved_at = moment
        WHERE a.id = ANY (ids);
    IF p_note IS NOT NULL THEN
        INSERT INTO ledger_note (transaction_id, salt, text) VALUES (transaction_id, p_note_salt, p_note);
    END IF;
END
$$;
"""


# The same for a single posting at once, which is most of them, in a fifth less time: without arrays, and with few
# expressions, which PL/pgSQL prepares anew in every transaction. It knows only what goes well; a key that is there
# already and whatever is to be refused are left to ledger_post, under the locks that are held by then.
POST_ONE = """
CREATE FUNCTION ledger_post_one(
    p_key text, p_fingerprint bytea, p_kind text, p_source text, p_salt bytea,
    p_debit bigint, p_credit bigint, p_amount bigint,
    OUT transaction_id bigint, OUT replayed boolean
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    payer record;
    payee record;
    moment timestamptz;
BEGIN
    IF p_amount BETWEEN 1 AND 1000000000000 AND p_debit <> p_credit THEN
        IF p_debit < p_credit THEN
            SELECT asset_id, moved_at, seq + 1 AS seq, credits - debits - p_amount AS balance,
                    closed_at IS NULL AND debits + p_amount <= 9007199254740991 AND (
                        min_balance IS NULL OR credits - debits - debits_pending - p_amount >= min_balance) AS fit
                INTO payer FROM ledger_account WHERE id = p_debit FOR NO KEY UPDATE;
        END IF;
        SELECT asset_id, moved_at, seq + 1 AS seq, credits - debits + p_amount AS balance,
                closed_at IS NULL AND credits + p_amount <= 9007199254740991 AS fit
            INTO payee FROM ledger_account WHERE id = p_credit FOR NO KEY UPDATE;
        IF p_debit > p_credit THEN
            SELECT asset_id, moved_at, seq + 1 AS seq, credits - debits - p_amount AS balance,
                    closed_at IS NULL AND debits + p_amount <= 9007199254740991 AND (
                        min_balance IS NULL OR credits - debits - debits_pending - p_amount >= min_balance) AS fit
                INTO payer FROM ledger_account WHERE id = p_debit FOR NO KEY UPDATE;
        END IF;
        IF payer.fit AND payee.fit AND payer.asset_id = payee.asset_id THEN
            moment := greatest(payer.moved_at, payee.moved_at, clock_timestamp());
            INSERT INTO ledger_transaction AS t (key, fingerprint, kind, state, source, salt, at)
                VALUES (p_key, p_fingerprint, p_kind, 'posted', p_source, p_salt, moment)
                ON CONFLICT (key) DO NOTHING RETURNING t.id INTO transaction_id;
            IF FOUND THEN
                INSERT INTO ledger_posting (transaction_id, n, asset_id, debit_id, credit_id, amount,
                        debit_after, debit_seq, credit_after, credit_seq, at)
                    VALUES (transaction_id, 1, payer.asset_id, p_debit, p_credit, p_amount,
                        payer.balance, payer.seq, payee.balance, payee.seq, moment);
                UPDATE ledger_account SET debits = debits + p_amount, seq = payer.seq, moved_at = moment
                    WHERE id = p_debit;
                UPDATE ledger_account SET credits = credits + p_amount, seq = payee.seq, moved_at = moment
                    WHERE id = p_credit;
                replayed := false;
                RETURN;
            END IF;
        END IF;
    END IF;
    SELECT g.transaction_id, g.replayed INTO transaction_id, replayed
        FROM ledger_post(p_key, p_fingerprint, p_kind, 'posted', p_source, p_salt,
            ARRAY[p_debit], ARRAY[p_credit], ARRAY[p_amount]) g;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_book")]

    operations = [
        migrations.RunSQL(
            [
                FAIL,
                TARGET,
                POST,
                POST_ONE,
                "REVOKE EXECUTE ON FUNCTION ledger_fail, ledger_target, ledger_post, ledger_post_one FROM PUBLIC",
            ],
            ["DROP FUNCTION ledger_post_one, ledger_post, ledger_target, ledger_fail"],
        )
    ]

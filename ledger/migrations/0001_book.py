import django.db.models.deletion
import django.db.models.expressions
import ledger.models.fields
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # Rules on one column are domains: compiled once per session, not once per statement as a CHECK is.
        migrations.RunSQL(
            """
            CREATE DOMAIN ledger_total AS bigint CHECK (VALUE BETWEEN 0 AND 9007199254740991);
            CREATE DOMAIN ledger_amount AS bigint CHECK (VALUE BETWEEN 1 AND 1000000000000);
            CREATE DOMAIN ledger_state AS text CHECK (VALUE IN ('posted', 'pending', 'post', 'void'));
            CREATE DOMAIN ledger_account_kind AS text CHECK (
                VALUE IN ('wallet', 'seat', 'pot', 'entry', 'pool', 'fee', 'mint', 'rake', 'suspense')
            );
            """,
            "DROP DOMAIN ledger_total, ledger_amount, ledger_state, ledger_account_kind",
        ),
        migrations.CreateModel(
            name='Transaction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200, verbose_name='key')),
                ('fingerprint', models.BinaryField(max_length=32, verbose_name='fingerprint')),
                ('kind', models.CharField(max_length=40, verbose_name='kind')),
                ('state', ledger.models.fields.StateField(choices=[('posted', 'posted'), ('pending', 'on hold'), ('post', 'hold posted'), ('void', 'hold voided')], max_length=7, verbose_name='state')),
                ('source', models.CharField(max_length=200, verbose_name='source')),
                ('salt', models.BinaryField(max_length=16, verbose_name='salt')),
                ('note_hash', models.BinaryField(blank=True, max_length=32, null=True, verbose_name='hash of the note')),
                ('at', models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), verbose_name='time')),
                ('xid', ledger.models.fields.Xid8Field(db_default=ledger.models.fields.CurrentXid(), verbose_name='database transaction')),
                ('resolves', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='resolutions', to='ledger.transaction', verbose_name='resolves the hold')),
                ('reverses', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversals', to='ledger.transaction', verbose_name='reverses')),
            ],
            options={
                'verbose_name': 'transaction',
                'verbose_name_plural': 'transactions',
            },
        ),
        migrations.CreateModel(
            name='AccountOwner',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='account_owner', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'account owner',
                'verbose_name_plural': 'account owners',
            },
        ),
        migrations.CreateModel(
            name='Asset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='2 to 24 capital letters, digits and . _ -, starting with a letter, ending with a letter or digit.', max_length=24, unique=True, verbose_name='code')),
                ('scale', models.PositiveSmallIntegerField(db_default=0, default=0, help_text='Decimal places of the smallest unit.', verbose_name='scale')),
            ],
            options={
                'verbose_name': 'asset',
                'verbose_name_plural': 'assets',
                'constraints': [models.CheckConstraint(condition=models.Q(('code__regex', '^[A-Z][A-Z0-9._-]{0,22}[A-Z0-9]$')), name='asset_code_form'), models.CheckConstraint(condition=models.Q(('scale__lte', 6)), name='asset_scale_range')],
            },
        ),
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', ledger.models.fields.AccountKindField(choices=[('wallet', 'wallet'), ('seat', 'seat'), ('pot', 'pot'), ('entry', 'tournament entries'), ('pool', 'prize pool'), ('fee', 'fee'), ('mint', 'mint'), ('rake', 'rake'), ('suspense', 'suspense')], max_length=10, verbose_name='kind')),
                ('ref', models.CharField(blank=True, max_length=120, verbose_name='reference')),
                ('owner', models.UUIDField(blank=True, null=True, verbose_name='owner')),
                ('min_balance', models.BigIntegerField(blank=True, null=True, verbose_name='lowest balance')),
                ('debits', ledger.models.fields.TotalField(db_default=0, default=0, verbose_name='debits')),
                ('credits', ledger.models.fields.TotalField(db_default=0, default=0, verbose_name='credits')),
                ('debits_pending', ledger.models.fields.TotalField(db_default=0, default=0, verbose_name='debits on hold')),
                ('credits_pending', ledger.models.fields.TotalField(db_default=0, default=0, verbose_name='credits on hold')),
                ('seq', models.BigIntegerField(db_default=0, default=0, verbose_name='number of postings')),
                ('moved_at', models.DateTimeField(blank=True, null=True, verbose_name='last posting')),
                ('opened_at', models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), verbose_name='opened')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('asset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='ledger.asset', verbose_name='asset')),
            ],
            options={
                'verbose_name': 'account',
                'verbose_name_plural': 'accounts',
            },
        ),
        migrations.CreateModel(
            name='CreditLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('credit', models.BigIntegerField(verbose_name='credit line')),
                ('previous', models.BigIntegerField(verbose_name='previous credit line')),
                ('set_by', models.UUIDField(verbose_name='set by')),
                ('reason', models.CharField(max_length=500, verbose_name='reason')),
                ('at', models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), verbose_name='time')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='credit_lines', to='ledger.account', verbose_name='account')),
            ],
            options={
                'verbose_name': 'credit line',
                'verbose_name_plural': 'credit lines',
            },
        ),
        migrations.CreateModel(
            name='Leaf',
            fields=[
                ('transaction', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='leaf', serialize=False, to='ledger.transaction', verbose_name='transaction')),
                ('index', models.PositiveIntegerField(verbose_name='index')),
                ('hash', models.BinaryField(max_length=32, verbose_name='hash')),
            ],
            options={
                'verbose_name': 'leaf',
                'verbose_name_plural': 'leaves',
            },
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('transaction', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='note', serialize=False, to='ledger.transaction', verbose_name='transaction')),
                ('salt', models.BinaryField(max_length=16, verbose_name='salt')),
                ('text', models.TextField(max_length=1000, verbose_name='text')),
            ],
            options={
                'verbose_name': 'note',
                'verbose_name_plural': 'notes',
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='reason')),
                ('state', models.CharField(choices=[('requested', 'requested'), ('approved', 'approved'), ('rejected', 'rejected')], db_default='requested', default='requested', max_length=9, verbose_name='state')),
                ('requested_by', models.UUIDField(verbose_name='requested by')),
                ('requested_at', models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), verbose_name='requested')),
                ('approved_by', models.UUIDField(blank=True, null=True, verbose_name='approved by')),
                ('rejected_by', models.UUIDField(blank=True, null=True, verbose_name='rejected by')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided')),
                ('reversal', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='adjustment', to='ledger.transaction', verbose_name='reversal')),
                ('transaction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='ledger.transaction', verbose_name='transaction')),
            ],
            options={
                'verbose_name': 'adjustment',
                'verbose_name_plural': 'adjustments',
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.SmallIntegerField(verbose_name='number')),
                ('amount', ledger.models.fields.AmountField(verbose_name='amount')),
                ('debit_after', models.BigIntegerField(verbose_name='balance of the payer afterwards')),
                ('debit_seq', models.BigIntegerField(verbose_name="number in the payer's account")),
                ('credit_after', models.BigIntegerField(verbose_name='balance of the payee afterwards')),
                ('credit_seq', models.BigIntegerField(verbose_name="number in the payee's account")),
                ('at', models.DateTimeField(verbose_name='time')),
                ('asset', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.asset', verbose_name='asset')),
                ('credit', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='credit_postings', to='ledger.account', verbose_name='to')),
                ('debit', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='debit_postings', to='ledger.account', verbose_name='from')),
                ('transaction', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='ledger.transaction', verbose_name='transaction')),
            ],
            options={
                'verbose_name': 'posting',
                'verbose_name_plural': 'postings',
            },
        ),
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('seq', models.BigIntegerField(primary_key=True, serialize=False, verbose_name='number')),
                ('from_xid', ledger.models.fields.Xid8Field(verbose_name='from database transaction')),
                ('to_xid', ledger.models.fields.Xid8Field(verbose_name='to database transaction')),
                ('n', models.PositiveIntegerField(verbose_name='transactions')),
                ('root', models.BinaryField(max_length=32, verbose_name='root')),
                ('previous', models.BinaryField(max_length=32, verbose_name='hash of the previous seal')),
                ('hash', models.BinaryField(max_length=32, verbose_name='hash')),
                ('log_root', models.BinaryField(max_length=32, verbose_name='root over all seals')),
                ('sealed_at', models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), db_index=True, verbose_name='sealed')),
                ('key_id', models.CharField(max_length=64, verbose_name='key')),
                ('signature', models.BinaryField(max_length=64, verbose_name='signature')),
            ],
            options={
                'verbose_name': 'seal',
                'verbose_name_plural': 'seals',
                'constraints': [models.UniqueConstraint(fields=('previous',), name='seal_chain_is_a_line'), models.CheckConstraint(condition=models.Q(('n__gte', 1), ('seq__gte', 1), ('to_xid__gt', models.F('from_xid'))), name='seal_range')],
            },
        ),
        migrations.AddIndex(
            model_name='account',
            index=models.Index(condition=models.Q(('owner__isnull', False)), fields=['owner'], name='account_owner'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.UniqueConstraint(fields=('kind', 'ref', 'asset'), name='account_once'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.UniqueConstraint(fields=('id', 'asset'), name='account_and_asset'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.CheckConstraint(condition=models.Q(('min_balance__lte', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('credits'), '-', models.F('debits')), '-', models.F('debits_pending')))), name='account_above_floor'),
        ),
        migrations.AddConstraint(
            model_name='creditline',
            constraint=models.CheckConstraint(condition=models.Q(('credit__gte', 0), ('previous__gte', 0)), name='credit_line_positive'),
        ),
        migrations.AddField(
            model_name='leaf',
            name='seal',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='leaves', to='ledger.seal', verbose_name='seal'),
        ),
        migrations.AddIndex(
            model_name='transaction',
            index=models.Index(fields=['at'], name='transaction_at'),
        ),
        migrations.AddIndex(
            model_name='transaction',
            index=models.Index(fields=['kind', 'at'], name='transaction_kind_at'),
        ),
        migrations.AddIndex(
            model_name='transaction',
            index=models.Index(fields=['source'], name='transaction_source', opclasses=['text_pattern_ops']),
        ),
        migrations.AddIndex(
            model_name='transaction',
            index=models.Index(fields=['xid'], name='transaction_xid'),
        ),
        migrations.AddIndex(
            model_name='transaction',
            index=models.Index(condition=models.Q(('state', 'pending')), fields=['at'], name='transaction_holds'),
        ),
        migrations.AddConstraint(
            model_name='transaction',
            constraint=models.UniqueConstraint(fields=('key',), name='transaction_key_once'),
        ),
        migrations.AddConstraint(
            model_name='transaction',
            constraint=models.UniqueConstraint(condition=models.Q(('resolves__isnull', False)), fields=('resolves',), name='transaction_resolved_once'),
        ),
        migrations.AddConstraint(
            model_name='transaction',
            constraint=models.UniqueConstraint(condition=models.Q(('reverses__isnull', False)), fields=('reverses',), name='transaction_reversed_once'),
        ),
        migrations.AddConstraint(
            model_name='transaction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('resolves__isnull', True), ('state', 'posted')), models.Q(('resolves__isnull', True), ('reverses__isnull', True), ('state', 'pending')), models.Q(('resolves__isnull', False), ('reverses__isnull', True), ('state__in', ['post', 'void'])), _connector='OR'), name='transaction_state_links'),
        ),
        migrations.AddIndex(
            model_name='adjustment',
            index=models.Index(fields=['state', 'requested_at'], name='adjustment_state'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'requested')), fields=('transaction',), name='adjustment_one_open'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(('approved_by__isnull', True), models.Q(('approved_by', models.F('requested_by')), _negated=True), _connector='OR'), name='adjustment_two_people'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('approved_by__isnull', True), ('decided_at__isnull', True), ('rejected_by__isnull', True), ('reversal__isnull', True), ('state', 'requested')), models.Q(('approved_by__isnull', False), ('decided_at__isnull', False), ('rejected_by__isnull', True), ('reversal__isnull', False), ('state', 'approved')), models.Q(('approved_by__isnull', True), ('decided_at__isnull', False), ('rejected_by__isnull', False), ('reversal__isnull', True), ('state', 'rejected')), _connector='OR'), name='adjustment_state_fields'),
        ),
        migrations.AddIndex(
            model_name='posting',
            index=models.Index(fields=['debit', 'at', 'debit_seq'], name='posting_debit'),
        ),
        migrations.AddIndex(
            model_name='posting',
            index=models.Index(fields=['credit', 'at', 'credit_seq'], name='posting_credit'),
        ),
        migrations.AddConstraint(
            model_name='posting',
            constraint=models.UniqueConstraint(fields=('transaction', 'n'), name='posting_once'),
        ),
        migrations.AddConstraint(
            model_name='posting',
            constraint=models.CheckConstraint(condition=models.Q(('debit', models.F('credit')), _negated=True), name='posting_two_accounts'),
        ),
        migrations.AddConstraint(
            model_name='leaf',
            constraint=models.UniqueConstraint(fields=('seal', 'index'), name='leaf_place_once'),
        ),
        # A posting and both its accounts share one asset: the composite keys make a mix impossible.
        migrations.RunSQL(
            """
            ALTER TABLE ledger_posting
                ADD CONSTRAINT posting_debit_same_asset FOREIGN KEY (debit_id, asset_id)
                    REFERENCES ledger_account (id, asset_id),
                ADD CONSTRAINT posting_credit_same_asset FOREIGN KEY (credit_id, asset_id)
                    REFERENCES ledger_account (id, asset_id);
            -- Room on each page, so that a balance is updated in place and no index is touched.
            ALTER TABLE ledger_account SET (fillfactor = 50);
            """,
            """
            ALTER TABLE ledger_posting
                DROP CONSTRAINT posting_debit_same_asset,
                DROP CONSTRAINT posting_credit_same_asset;
            """,
        ),
    ]

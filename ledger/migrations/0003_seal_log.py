"""What a seal also covers (epoch, totals), the tree over all seals, and a record of every verification."""

from django.db import migrations, models

import ledger.models.fields


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_posting")]

    operations = [
        migrations.AddField(
            model_name="seal",
            name="epoch",
            field=models.PositiveIntegerField(default=0, verbose_name="epoch"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="seal",
            name="totals",
            field=models.JSONField(default=list, verbose_name="totals"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="seal",
            name="nodes",
            field=models.BinaryField(default=b"", verbose_name="nodes of the tree over all seals"),
            preserve_default=False,
        ),
        migrations.RemoveConstraint(model_name="seal", name="seal_range"),
        migrations.AddConstraint(
            model_name="seal",
            constraint=models.CheckConstraint(
                condition=models.Q(("seq__gte", 1), ("to_xid__gt", models.F("from_xid"))), name="seal_range"
            ),
        ),
        migrations.AddConstraint(
            model_name="seal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("n__gte", 1), models.Q(("epoch__gte", 1), ("from_xid", "0")), _connector="OR"
                ),
                name="seal_not_empty",
            ),
        ),
        migrations.CreateModel(
            name="Verification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "scope",
                    models.CharField(
                        choices=[("full", "full"), ("since", "since a seal"), ("account", "one account")],
                        max_length=7,
                        verbose_name="scope",
                    ),
                ),
                ("since", models.BigIntegerField(blank=True, null=True, verbose_name="since seal")),
                ("started_at", models.DateTimeField(db_index=True, verbose_name="started")),
                (
                    "finished_at",
                    models.DateTimeField(db_default=ledger.models.fields.ClockTimestamp(), verbose_name="finished"),
                ),
                ("transactions", models.BigIntegerField(verbose_name="transactions checked")),
                ("last_seal", models.BigIntegerField(blank=True, null=True, verbose_name="last seal")),
                ("passed", models.BooleanField(verbose_name="passed")),
                ("code", models.CharField(blank=True, max_length=40, verbose_name="fault")),
                ("detail", models.TextField(blank=True, verbose_name="what is wrong")),
                ("seal", models.BigIntegerField(blank=True, null=True, verbose_name="seal")),
                ("transaction", models.BigIntegerField(blank=True, null=True, verbose_name="transaction")),
                ("account", models.BigIntegerField(blank=True, null=True, verbose_name="account")),
            ],
            options={
                "verbose_name": "verification",
                "verbose_name_plural": "verifications",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("code", ""), ("passed", True)),
                            models.Q(("passed", False), models.Q(("code", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="verification_fault_has_code",
                    )
                ],
            },
        ),
    ]

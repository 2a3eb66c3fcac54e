"""Delay for watchers, what they are shown meanwhile, and the lag that a seat may still have forgiven."""

import django.core.serializers.json
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0010_course_of_a_match"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="lag_quotas",
            field=models.JSONField(default=dict, verbose_name="lag still forgiven in ms, by seat"),
        ),
        migrations.AddField(
            model_name="table",
            name="watch_delay",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="delay for watchers in seconds"),
        ),
        # Tables with a stake that are open while the site is upgraded are watched with the usual delay too.
        migrations.RunSQL("UPDATE games_table SET watch_delay = 30 WHERE stake > 0", migrations.RunSQL.noop),
        migrations.CreateModel(
            name="Moment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveBigIntegerField(verbose_name="version")),
                (
                    "row",
                    models.JSONField(
                        encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name="the table's row"
                    ),
                ),
                (
                    "seats",
                    models.JSONField(
                        encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name="the seats"
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="time")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moments",
                        to="games.table",
                        verbose_name="table",
                    ),
                ),
            ],
            options={
                "verbose_name": "moment of a table",
                "verbose_name_plural": "moments of tables",
                "constraints": [
                    models.UniqueConstraint(fields=("table", "version"), name="moment_version_once")
                ],
            },
        ),
    ]

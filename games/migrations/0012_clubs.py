"""Every table, its statistics, and what organisers do belong to a club: what is there to the first one."""

import django.db.models.deletion
from django.db import migrations, models


def club():
    """The field of all these models."""
    return models.ForeignKey(
        default=1,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="clubs.club",
        verbose_name="club",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0002_clubs"),
        ("games", "0011_watching"),
    ]

    operations = [
        *(
            migrations.AddField(model_name=model, name="club", field=club())
            for model in ("table", "silence", "organiseract", "dealstatistics")
        ),
        migrations.RemoveConstraint(model_name="dealstatistics", name="statistics_key_once"),
        migrations.AddConstraint(
            model_name="dealstatistics",
            constraint=models.UniqueConstraint(
                fields=("club", "game", "kind", "key"), name="statistics_key_once"
            ),
        ),
    ]

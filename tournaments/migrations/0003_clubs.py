"""Every event and every season belongs to a club: those that are there to the first one."""

import django.db.models.deletion
from django.db import migrations, models


def club():
    """The field of both models."""
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
        ("tournaments", "0002_guards"),
    ]

    operations = [
        migrations.AddField(model_name="season", name="club", field=club()),
        migrations.AddField(model_name="tournament", name="club", field=club()),
        migrations.AlterField(
            model_name="season",
            name="name",
            field=models.CharField(max_length=80, verbose_name="name"),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(fields=("club", "name"), name="season_name_once"),
        ),
    ]

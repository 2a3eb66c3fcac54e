"""Every table belongs to a club: those that are there to the first one."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0002_clubs"),
        ("games", "0011_watching"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="club",
            field=models.ForeignKey(
                default=1,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="clubs.club",
                verbose_name="club",
            ),
        ),
    ]

"""Every asset belongs to a club: those that are there to the first one.

The column comes with a default, so that no row of the append-only table is updated.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0002_clubs"),
        ("ledger", "0007_exports"),
    ]

    operations = [
        migrations.AddField(
            model_name="asset",
            name="club",
            field=models.ForeignKey(
                db_default=1,
                default=1,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="clubs.club",
                verbose_name="club",
            ),
        ),
    ]

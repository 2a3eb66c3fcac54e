"""Events whose results count for the ratings."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_forgotten_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="rated",
            field=models.BooleanField(default=False, verbose_name="counts for the ratings"),
        ),
    ]

"""Events and seasons of one moment keep their order; the tables stay as they are."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_rated")]

    operations = [
        migrations.AlterModelOptions(
            name="season",
            options={
                "ordering": ["-created_at", "-pk"],
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
            },
        ),
        migrations.AlterModelOptions(
            name="tournament",
            options={
                "ordering": ["-created_at", "-pk"],
                "permissions": [("organise", "May organise events")],
                "verbose_name": "event",
                "verbose_name_plural": "events",
            },
        ),
    ]

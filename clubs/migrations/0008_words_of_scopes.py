"""A scope of a token speaks of the owner's chips as "your own"; the table stays as it is."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0007_words_for_keepers")]

    operations = [
        migrations.AlterField(
            model_name="apitoken",
            name="scopes",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("read", "read: tables, history, events, your own chips"),
                        ("play", "play: take seats and move, enter events"),
                        ("organise", "organise: events of clubs where you are an organiser"),
                        ("audit", "audit: the book of clubs where you may read it"),
                    ],
                    max_length=10,
                ),
                size=None,
                verbose_name="scopes",
            ),
        ),
    ]

"""Invitations and requests of one moment keep their order; the tables stay as they are."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("clubs", "0008_words_of_scopes")]

    operations = [
        migrations.AlterModelOptions(
            name="invitation",
            options={
                "ordering": ["-made_at", "-pk"],
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
            },
        ),
        migrations.AlterModelOptions(
            name="joinrequest",
            options={
                "ordering": ["made_at", "pk"],
                "verbose_name": "request to join",
                "verbose_name_plural": "requests to join",
            },
        ),
    ]

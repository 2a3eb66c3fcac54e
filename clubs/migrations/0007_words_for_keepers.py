"""What keepers tick for a person is called in words that need not be looked up; the table stays as it is."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0006_time_zone")]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="is_staff",
            field=models.BooleanField(
                default=False,
                help_text="Opens these pages; what is seen and done on them is decided by the groups.",
                verbose_name="may enter the desk",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="is_superuser",
            field=models.BooleanField(
                default=False,
                help_text="Keeps the site: may do everything, at every club, without a group.",
                verbose_name="has every right",
            ),
        ),
    ]

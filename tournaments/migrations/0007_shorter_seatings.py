"""Two ways to seat are called by fewer words; the tables stay as they are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_order_of_equal_moments")]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="seating",
            field=models.CharField(
                choices=[("planned", "planned: fewest repeats"), ("swiss", "Swiss: neighbours meet")],
                default="planned",
                max_length=8,
                verbose_name="seating",
            ),
        ),
    ]

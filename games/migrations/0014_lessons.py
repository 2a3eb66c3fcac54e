"""How far people are in the lessons."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0013_ratings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LessonProgress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(max_length=32, verbose_name="game")),
                ("step", models.PositiveSmallIntegerField(default=1, verbose_name="step")),
                ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lessons",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="member",
                    ),
                ),
            ],
            options={
                "verbose_name": "progress in a lesson",
                "verbose_name_plural": "progress in lessons",
                "constraints": [
                    models.UniqueConstraint(fields=("user", "game"), name="lesson_once_per_person"),
                    models.CheckConstraint(
                        condition=models.Q(("step__gte", 1)), name="lesson_steps_from_one"
                    ),
                ],
            },
        ),
    ]

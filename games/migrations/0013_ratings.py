"""Ratings of people in their club and of the site's bots, and the matches that move them."""

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0002_clubs"),
        ("games", "0012_clubs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RatingPool",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(max_length=32, verbose_name="game")),
                ("last", models.PositiveBigIntegerField(default=0, verbose_name="matches counted")),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating_pools",
                        to="clubs.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "verbose_name": "pool of ratings",
                "verbose_name_plural": "pools of ratings",
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bot_level", models.CharField(blank=True, max_length=16, verbose_name="bot's level")),
                ("mu", models.FloatField(default=25.0, verbose_name="mean")),
                ("sigma", models.FloatField(default=8.333333333, verbose_name="standard deviation")),
                ("matches", models.PositiveIntegerField(default=0, verbose_name="matches")),
                ("last_at", models.DateTimeField(blank=True, null=True, verbose_name="last match")),
                (
                    "ordinal",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.expressions.CombinedExpression(
                            models.F("mu"),
                            "-",
                            django.db.models.expressions.CombinedExpression(
                                models.Value(3), "*", models.F("sigma")
                            ),
                        ),
                        output_field=models.FloatField(),
                        verbose_name="what the skill is above",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="ratings",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="member",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="games.ratingpool",
                        verbose_name="pool",
                    ),
                ),
            ],
            options={
                "verbose_name": "rating",
                "verbose_name_plural": "ratings",
            },
        ),
        migrations.CreateModel(
            name="RatedMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveBigIntegerField(verbose_name="number")),
                ("source", models.CharField(max_length=120, unique=True, verbose_name="record")),
                ("at", models.DateTimeField(verbose_name="time")),
                (
                    "table",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rated_match",
                        to="games.table",
                        verbose_name="table",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rated_matches",
                        to="games.ratingpool",
                        verbose_name="pool",
                    ),
                ),
            ],
            options={
                "verbose_name": "rated match",
                "verbose_name_plural": "rated matches",
            },
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("place", models.PositiveSmallIntegerField(verbose_name="place")),
                ("abandoned", models.BooleanField(default=False, verbose_name="abandoned")),
                ("mu_before", models.FloatField(verbose_name="mean before")),
                ("sigma_before", models.FloatField(verbose_name="standard deviation before")),
                ("mu_after", models.FloatField(verbose_name="mean after")),
                ("sigma_after", models.FloatField(verbose_name="standard deviation after")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="games.ratedmatch",
                        verbose_name="match",
                    ),
                ),
                (
                    "rating",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="games.rating",
                        verbose_name="rating",
                    ),
                ),
            ],
            options={
                "verbose_name": "change of a rating",
                "verbose_name_plural": "changes of ratings",
                "constraints": [
                    models.UniqueConstraint(fields=("match", "seat"), name="rating_change_seat_once"),
                    models.CheckConstraint(
                        condition=models.Q(("place__gte", 1)), name="rating_change_place_from_one"
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="ratingpool",
            constraint=models.UniqueConstraint(
                fields=("club", "game"), name="rating_pool_once", nulls_distinct=False
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(fields=["pool", "-ordinal"], name="rating_best_first"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                condition=models.Q(("user__isnull", False)), fields=("pool", "user"), name="rating_user_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                condition=models.Q(("bot_level", ""), _negated=True),
                fields=("pool", "bot_level"),
                name="rating_bot_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(("user__isnull", True), ("bot_level", ""), _connector="OR"),
                name="rating_person_or_bot",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(("sigma__gt", 0), ("sigma__lte", 8.333333333333334)),
                name="rating_sigma_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="ratedmatch",
            constraint=models.UniqueConstraint(fields=("pool", "number"), name="rated_match_number_once"),
        ),
    ]

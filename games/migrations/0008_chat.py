"""What people say at tables, mutes, reports and silences; organisers may handle reports."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def let_organisers_handle_reports(apps, schema_editor):
    """Permissions are usually made after all migrations; the group needs its own now."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    kind, _ = ContentType.objects.get_or_create(app_label="games", model="report")
    right, _ = Permission.objects.get_or_create(
        content_type=kind,
        codename="handle_reports",
        defaults={"name": "May handle reports, hide lines and silence people"},
    )
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name="organiser")
    group.permissions.add(right)


def nothing(apps, schema_editor):
    """The permission goes with its table; the group may have other rights by now."""


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0007_waiting_and_rated"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("deal_number", models.PositiveIntegerField(blank=True, null=True, verbose_name="deal")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("abuse", "insults or threats"),
                            ("spam", "advertising or flooding"),
                            ("hints", "telling others what cards somebody holds"),
                            ("suspicion", "suspicious play"),
                            ("behaviour", "stalling or other bad behaviour"),
                            ("bug", "something on the site went wrong"),
                            ("other", "something else"),
                        ],
                        max_length=12,
                        verbose_name="reason",
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=1000, verbose_name="note")),
                ("evidence", models.JSONField(blank=True, default=list, verbose_name="lines")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("handled", "handled")],
                        default="open",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("handled_at", models.DateTimeField(blank=True, null=True, verbose_name="handled")),
                (
                    "decision",
                    models.CharField(
                        blank=True,
                        choices=[("silenced", "the person was silenced"), ("dismissed", "dismissed")],
                        max_length=10,
                        verbose_name="decision",
                    ),
                ),
                ("decision_note", models.CharField(blank=True, max_length=1000, verbose_name="why")),
                (
                    "handled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="handled by",
                    ),
                ),
                (
                    "reported",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="about",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="reported by",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="games.table",
                        verbose_name="table",
                    ),
                ),
            ],
            options={
                "verbose_name": "report",
                "verbose_name_plural": "reports",
                "ordering": ["-id"],
                "permissions": [("handle_reports", "May handle reports, hide lines and silence people")],
            },
        ),
        migrations.CreateModel(
            name="OrganiserAct",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("silence", "silenced somebody"),
                            ("lift", "lifted a silence"),
                            ("dismiss", "dismissed a report"),
                            ("hide", "hid a line"),
                        ],
                        max_length=8,
                        verbose_name="act",
                    ),
                ),
                ("why", models.CharField(max_length=1000, verbose_name="why")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="about",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="games.table",
                        verbose_name="table",
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="acts",
                        to="games.report",
                        verbose_name="report",
                    ),
                ),
            ],
            options={
                "verbose_name": "organiser's act",
                "verbose_name_plural": "organisers' acts",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Silence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("until", models.DateTimeField(verbose_name="until")),
                ("why", models.CharField(max_length=1000, verbose_name="why")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                ("lifted_at", models.DateTimeField(blank=True, null=True, verbose_name="lifted")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="silenced by",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.table",
                        verbose_name="table",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="silences",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "silence",
                "verbose_name_plural": "silences",
            },
        ),
        migrations.CreateModel(
            name="ChatLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "room",
                    models.CharField(
                        choices=[("table", "table"), ("watchers", "watchers")],
                        max_length=8,
                        verbose_name="room",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="seat")),
                ("text", models.CharField(blank=True, max_length=200, verbose_name="text")),
                ("phrase", models.CharField(blank=True, max_length=24, verbose_name="phrase")),
                ("command_id", models.UUIDField(blank=True, null=True, verbose_name="command")),
                ("at", models.DateTimeField(verbose_name="time")),
                ("hidden_at", models.DateTimeField(blank=True, null=True, verbose_name="hidden")),
                (
                    "author",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="chat_lines",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="author",
                    ),
                ),
                (
                    "hidden_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="hidden by",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chat",
                        to="games.table",
                        verbose_name="table",
                    ),
                ),
            ],
            options={
                "verbose_name": "chat line",
                "verbose_name_plural": "chat lines",
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["table", "id"], name="chat_of_table"),
                    models.Index(fields=["author", "at"], name="chat_of_author"),
                    models.Index(fields=["at"], name="chat_age"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("room__in", ["table", "watchers"])), name="chat_room"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("text", ""), models.Q(("phrase", ""), _negated=True)),
                            models.Q(models.Q(("text", ""), _negated=True), ("phrase", "")),
                            _connector="OR",
                        ),
                        name="chat_text_or_phrase",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("text__regex", "[\\u0001-\\u001F\\u007F-\\u009F]"), _negated=True
                        ),
                        name="chat_no_control_characters",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("room", "table"), ("seat__isnull", False)),
                            models.Q(("room", "watchers"), ("seat__isnull", True)),
                            _connector="OR",
                        ),
                        name="chat_members_speak_from_seats",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("hidden_by__isnull", True), ("hidden_at__isnull", False), _connector="OR"
                        ),
                        name="chat_hidden_by_when",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("command_id__isnull", False)),
                        fields=("author", "command_id"),
                        name="chat_command_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ChatMute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                (
                    "muted",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "muter",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mutes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "mute",
                "verbose_name_plural": "mutes",
                "constraints": [
                    models.UniqueConstraint(fields=("muter", "muted"), name="mute_once"),
                    models.CheckConstraint(
                        condition=models.Q(("muter", models.F("muted")), _negated=True), name="mute_another"
                    ),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(condition=models.Q(("state", "open")), fields=["id"], name="report_open"),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(
                condition=models.Q(("state", "handled")), fields=["handled_at"], name="report_handled"
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("decision", ""),
                        ("handled_at__isnull", True),
                        ("handled_by__isnull", True),
                        ("state", "open"),
                    ),
                    models.Q(
                        ("decision__in", ["silenced", "dismissed"]),
                        ("handled_at__isnull", False),
                        ("state", "handled"),
                    ),
                    _connector="OR",
                ),
                name="report_handled_with_decision",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("reporter__isnull", True),
                    ("reported__isnull", True),
                    models.Q(("reporter", models.F("reported")), _negated=True),
                    _connector="OR",
                ),
                name="report_another",
            ),
        ),
        migrations.AddIndex(
            model_name="organiseract",
            index=models.Index(fields=["at"], name="act_age"),
        ),
        migrations.AddConstraint(
            model_name="organiseract",
            constraint=models.CheckConstraint(
                condition=models.Q(("why", ""), _negated=True), name="act_has_a_reason"
            ),
        ),
        migrations.AddIndex(
            model_name="silence",
            index=models.Index(fields=["until"], name="silence_until"),
        ),
        migrations.AddConstraint(
            model_name="silence",
            constraint=models.CheckConstraint(
                condition=models.Q(("until__gt", models.F("at"))), name="silence_lasts"
            ),
        ),
        migrations.AddConstraint(
            model_name="silence",
            constraint=models.CheckConstraint(
                condition=models.Q(("why", ""), _negated=True), name="silence_has_a_reason"
            ),
        ),
        migrations.RunPython(let_organisers_handle_reports, nothing),
    ]

"""Clubs, who belongs to them, and the first club, to which belongs what was there before there were clubs."""

import django.contrib.postgres.fields
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

# Forgetting a person takes the name off an act; nothing else of one changes. ENABLE ALWAYS: an ordinary trigger is
# switched off by `session_replication_role = replica`.
GUARD = """
CREATE FUNCTION clubs_only_added() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND to_jsonb(NEW) - ARRAY['by_id', 'about_id'] = to_jsonb(OLD) - ARRAY['by_id', 'about_id']
        AND (NEW.by_id IS NULL OR NEW.by_id = OLD.by_id) AND (NEW.about_id IS NULL OR NEW.about_id = OLD.about_id) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% of % is refused: this record is only added to', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER act_only_added BEFORE UPDATE OR DELETE ON clubs_act FOR EACH ROW EXECUTE FUNCTION clubs_only_added();
CREATE TRIGGER act_not_emptied BEFORE TRUNCATE ON clubs_act FOR EACH STATEMENT EXECUTE FUNCTION clubs_only_added();
ALTER TABLE clubs_act ENABLE ALWAYS TRIGGER act_only_added;
ALTER TABLE clubs_act ENABLE ALWAYS TRIGGER act_not_emptied;
"""
UNGUARD = """
DROP TRIGGER act_not_emptied ON clubs_act;
DROP TRIGGER act_only_added ON clubs_act;
DROP FUNCTION clubs_only_added();
"""


def create_first_club(apps, schema_editor):
    """Everything on the site belongs to some club: the first one takes what was there before."""
    club, _made = apps.get_model("clubs", "Club").objects.get_or_create(
        slug="club", defaults={"name": "Card club"}
    )
    assert club.pk == 1, "the first club has the number 1"


def nothing(apps, schema_editor):
    """The club goes with its table."""


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0001_people"),
    ]

    operations = [
        migrations.CreateModel(
            name="Club",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=40, unique=True, verbose_name="address")),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("description", models.TextField(blank=True, max_length=2000, verbose_name="description")),
                ("language", models.CharField(blank=True, max_length=8, verbose_name="language")),
                (
                    "joining",
                    models.CharField(
                        choices=[
                            ("closed", "by invitation alone"),
                            ("request", "by request or invitation"),
                            ("open", "open to everybody with an account"),
                        ],
                        default="request",
                        max_length=8,
                        verbose_name="how it is joined",
                    ),
                ),
                (
                    "listed",
                    models.BooleanField(
                        default=True, verbose_name="others may see its page and its public events"
                    ),
                ),
                (
                    "welcomes_guests",
                    models.BooleanField(
                        default=True, verbose_name="others may play and watch at its listed tables"
                    ),
                ),
                ("founded_at", models.DateTimeField(blank=True, null=True, verbose_name="founded")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
            ],
            options={
                "verbose_name": "club",
                "verbose_name_plural": "clubs",
                "ordering": ["name", "pk"],
                "permissions": [
                    ("govern", "May change the club's settings and give roles"),
                    ("admit", "May invite, admit, ban and unban members"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="club_has_name"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("slug__regex", "^[a-z0-9][a-z0-9-]*$")), name="club_slug_form"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Act",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("verb", models.CharField(max_length=32, verbose_name="act")),
                ("details", models.JSONField(default=dict, verbose_name="details")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                (
                    "about",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="about",
                    ),
                ),
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
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="acts",
                        to="clubs.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "verbose_name": "act of the club",
                "verbose_name_plural": "acts of the club",
                "ordering": ["-at", "-pk"],
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["club", "-at"], name="act_of_club")],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "token_hash",
                    models.BinaryField(max_length=32, unique=True, verbose_name="hash of the token"),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("treasurer", "treasurer"),
                            ("approver", "approver"),
                            ("auditor", "auditor"),
                            ("member", "member"),
                        ],
                        default="member",
                        max_length=10,
                        verbose_name="role",
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made")),
                ("expires_at", models.DateTimeField(verbose_name="valid until")),
                ("max_uses", models.PositiveSmallIntegerField(default=1, verbose_name="for so many people")),
                ("uses", models.PositiveSmallIntegerField(default=0, verbose_name="used")),
                ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="revoked")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="clubs.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "ordering": ["-made_at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("uses__lte", models.F("max_uses"))),
                        name="invitation_not_overused",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("max_uses__range", (1, 500))), name="invitation_uses_range"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("role", "owner"), _negated=True), name="invitation_makes_no_owner"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JoinRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("message", models.TextField(blank=True, max_length=500, verbose_name="message")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("accepted", "accepted"),
                            ("refused", "refused"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="waiting",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="asked")),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="join_requests",
                        to="clubs.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="join_requests",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "request to join",
                "verbose_name_plural": "requests to join",
                "ordering": ["made_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "waiting")),
                        fields=("club", "user"),
                        name="join_request_waits_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("state", "waiting")),
                            models.Q(
                                models.Q(("state", "waiting"), _negated=True), ("decided_at__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="join_request_decided_has_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "roles",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("owner", "owner"),
                                ("organiser", "organiser"),
                                ("treasurer", "treasurer"),
                                ("approver", "approver"),
                                ("auditor", "auditor"),
                                ("member", "member"),
                            ],
                            max_length=10,
                        ),
                        blank=True,
                        default=list,
                        size=None,
                        verbose_name="roles",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("active", "member"), ("left", "has left"), ("banned", "banned")],
                        default="active",
                        max_length=6,
                        verbose_name="state",
                    ),
                ),
                ("joined_at", models.DateTimeField(auto_now_add=True, verbose_name="joined")),
                ("changed_at", models.DateTimeField(auto_now=True, verbose_name="last change")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="clubs.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "membership",
                "verbose_name_plural": "memberships",
                "constraints": [
                    models.UniqueConstraint(fields=("club", "user"), name="membership_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "roles__contained_by",
                                ["owner", "organiser", "treasurer", "approver", "auditor"],
                            )
                        ),
                        name="membership_roles_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "active"), ("roles", []), _connector="OR"),
                        name="membership_roles_of_the_active",
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARD, UNGUARD),
        migrations.RunPython(create_first_club, nothing),
    ]

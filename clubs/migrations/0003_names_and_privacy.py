"""Names that no two members share, who may see a profile, and who was erased."""

import unicodedata

from django.db import migrations, models
from django.db.models import Q


def fill_keys(apps, schema_editor):
    """Give every member the key of the name, much as the site will; a name that is there twice keeps its number."""
    taken = set()
    users = apps.get_model("clubs", "User").objects
    for user in users.filter(is_guest=False).order_by("pk"):
        folded = unicodedata.normalize("NFKC", (user.display_name or user.username).casefold())
        folded = folded.replace("0", "o").replace("1", "l")
        key = "".join(c for c in folded if unicodedata.category(c)[0] in "LMN")[:160]
        if key in taken:
            key = f"{key}#{user.pk}"
        taken.add(key)
        users.filter(pk=user.pk).update(name_key=key)


class Migration(migrations.Migration):
    dependencies = [("clubs", "0002_clubs")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name_key",
            field=models.CharField(
                blank=True, default="", editable=False, max_length=200, verbose_name="name as compared"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="user",
            name="seen_by",
            field=models.CharField(
                choices=[
                    ("everybody", "everybody"),
                    ("club", "members of my clubs"),
                    ("nobody", "nobody but me"),
                ],
                default="club",
                max_length=9,
                verbose_name="who may see the profile and the games played",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="on_leaderboards",
            field=models.BooleanField(default=True, verbose_name="appears on leaderboards"),
        ),
        migrations.AddField(
            model_name="user",
            name="erased_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="erased"),
        ),
        migrations.RunPython(fill_keys, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                condition=~Q(name_key=""), fields=("name_key",), name="user_name_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=Q(erased_at__isnull=True)
                | Q(is_active=False, is_staff=False, is_superuser=False)
                & Q(display_name="", email="", name_key="", first_name="", last_name=""),
                name="user_erased_has_no_name",
            ),
        ),
    ]

"""Tokens of the API, and accounts that are marked as a program's."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0003_names_and_privacy'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='is_bot',
            field=models.BooleanField(default=False, verbose_name='a program plays with this account'),
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('prefix', models.CharField(max_length=12, unique=True, verbose_name='beginning of the token')),
                ('secret_hash', models.BinaryField(max_length=32, verbose_name='hash of the token')),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read: tables, history, events, the own chips'), ('play', 'play: take seats and move, enter events'), ('organise', 'organise: events of clubs where you are an organiser'), ('audit', 'audit: the book of clubs where you may read it')], max_length=10), size=None, verbose_name='scopes')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('expires_at', models.DateTimeField(verbose_name='valid until')),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'token of the API',
                'verbose_name_plural': 'tokens of the API',
                'ordering': ['-created_at', '-pk'],
                'default_permissions': ('view', 'change'),
                'indexes': [models.Index(fields=['user', '-created_at'], name='token_of_user')],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='token_has_name'), models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'play', 'organise', 'audit']), ('scopes__len__gt', 0)), name='token_scopes_known'), models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='token_ends_later')],
            },
        ),
    ]

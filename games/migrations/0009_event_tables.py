"""Tables that belong to an event: whose they are, how they go on from deal to deal, what seats bring along."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_chat'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='origin',
            field=models.CharField(blank=True, max_length=80, verbose_name='event'),
        ),
        migrations.AddField(
            model_name='table',
            name='stepwise',
            field=models.BooleanField(default=False, verbose_name='waits for the event after every deal'),
        ),
        migrations.AddField(
            model_name='table',
            name='deal_limit',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='ends after so many deals'),
        ),
        migrations.AddField(
            model_name='table',
            name='next_dealer',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='seat that deals next'),
        ),
        migrations.AddField(
            model_name='table',
            name='brought',
            field=models.JSONField(default=dict, verbose_name='results brought along, by seat'),
        ),
        migrations.AddField(
            model_name='seat',
            name='out',
            field=models.BooleanField(default=False, verbose_name='dealt in no more by the event'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(('origin', ''), _negated=True),
                    models.Q(('deal_limit__isnull', True), ('stepwise', False)),
                    _connector='OR',
                ),
                name='table_limits_belong_to_events',
            ),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('origin', ''), _negated=True), fields=['origin'], name='table_origin', opclasses=['text_pattern_ops']),
        ),
    ]

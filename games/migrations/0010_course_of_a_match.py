import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_event_tables'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='pause_seats',
            field=models.JSONField(default=list, verbose_name='seats that want the pause'),
        ),
        migrations.AddField(
            model_name='table',
            name='pause_until',
            field=models.DateTimeField(blank=True, null=True, verbose_name='end of the pause or of its offer'),
        ),
        migrations.AddField(
            model_name='table',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='clock stands still since'),
        ),
        migrations.AddField(
            model_name='table',
            name='pause_left_ms',
            field=models.PositiveBigIntegerField(blank=True, null=True, verbose_name='left on the standing clock in ms'),
        ),
        migrations.AddField(
            model_name='table',
            name='pauses',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='pauses of the match'),
        ),
        migrations.AddField(
            model_name='table',
            name='rematch_of',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rematch', to='games.table', verbose_name='rematch of'),
        ),
        migrations.AddField(
            model_name='seat',
            name='sitting_out',
            field=models.BooleanField(default=False, verbose_name='wants not to be dealt in'),
        ),
        migrations.AddField(
            model_name='seat',
            name='deals_out',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='deals sat out in a row by choice'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('pause_until__isnull', False)), fields=['pause_until'], name='table_pause_ends'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('status', 'finished'), _negated=True), fields=['changed_at'], name='table_unfinished'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(('pause_left_ms__isnull', True), ('paused_at__isnull', True)),
                    models.Q(('due_at__isnull', True), ('pause_left_ms__isnull', False), ('pause_until__isnull', False), ('paused_at__isnull', False), ('status__in', ('playing', 'between'))),
                    _connector='OR',
                ),
                name='table_pause_stops_the_clock',
            ),
        ),
    ]

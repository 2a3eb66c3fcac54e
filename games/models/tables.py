"""Tables and their seats, and when the clock last looked at them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import FIRST_CLUB, Club
from games.rules import GAMES
from games.wording import CLOCKS, options_in_words, title_of


class Table(models.Model):
    """One table: a game with its options, its seats, its clock and its chain of seeds."""

    class Status(models.TextChoices):
        SEATING = "seating", _("seats are filling")
        PLAYING = "playing", _("a deal is being played")
        BETWEEN = "between", _("between two deals")
        FINISHED = "finished", _("the match is over")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="+", default=FIRST_CLUB
    )
    game = models.CharField(_("game"), max_length=32)
    options = models.JSONField(_("options"), default=dict)
    listed = models.BooleanField(_("shown in the lobby"), default=False)
    rated = models.BooleanField(_("rated"), default=False)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.SEATING)
    version = models.PositiveBigIntegerField(_("version"), default=0)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("opened by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    changed_at = models.DateTimeField(_("last change"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    match = models.JSONField(_("match"), null=True, blank=True)
    deal_number = models.PositiveIntegerField(_("deal"), default=0)
    ply = models.PositiveIntegerField(_("moves made in the deal"), default=0)

    # The clock. ``due_at`` is when the clock must act: a turn's deadline, or the next deal's start.
    clock = models.CharField(_("clock"), max_length=16)
    banks = models.JSONField(_("time banks in ms, by seat"), default=dict)
    lag_quotas = models.JSONField(_("lag still forgiven in ms, by seat"), default=dict)
    turn_seat = models.PositiveSmallIntegerField(_("seat on turn"), null=True, blank=True)
    turn_version = models.PositiveBigIntegerField(_("version at which the turn began"), default=0)
    turn_started_at = models.DateTimeField(_("turn began"), null=True, blank=True)
    due_at = models.DateTimeField(_("clock acts at"), null=True, blank=True)
    pace_ms = models.PositiveIntegerField(_("pause between deals in ms"), default=8000)
    bot_think_ms = models.PositiveIntegerField(_("a bot's usual thinking time in ms"), default=1000)

    # A pause by consent. An offer stands until ``pause_until``; from ``paused_at`` on the pause lasts until then, and
    # ``pause_left_ms`` keeps what was left until the clock would have acted.
    pause_seats = models.JSONField(_("seats that want the pause"), default=list)
    pause_until = models.DateTimeField(_("end of the pause or of its offer"), null=True, blank=True)
    paused_at = models.DateTimeField(_("clock stands still since"), null=True, blank=True)
    pause_left_ms = models.PositiveBigIntegerField(
        _("left on the standing clock in ms"), null=True, blank=True
    )
    pauses = models.PositiveSmallIntegerField(_("pauses of the match"), default=0)
    rematch_of = models.OneToOneField(
        "self",
        verbose_name=_("rematch of"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="rematch",
    )

    # The stakes. A table without a stake touches no ledger.
    stake = models.PositiveIntegerField(_("chips per stake"), default=0)
    asset = models.CharField(_("asset"), max_length=24, blank=True)
    buy_in_min = models.PositiveBigIntegerField(_("least buy-in, in chips"), default=0)
    buy_in_max = models.PositiveBigIntegerField(_("most chips a seat may buy in for"), default=0)
    pot_account = models.PositiveBigIntegerField(_("pot's account"), null=True, blank=True)

    # A table that belongs to an event. ``origin`` names the event to whoever opened the table; nobody here reads it.
    origin = models.CharField(_("event"), max_length=80, blank=True)
    stepwise = models.BooleanField(_("waits for the event after every deal"), default=False)
    deal_limit = models.PositiveIntegerField(_("ends after so many deals"), null=True, blank=True)
    next_dealer = models.PositiveSmallIntegerField(_("seat that deals next"), null=True, blank=True)
    brought = models.JSONField(_("results brought along, by seat"), default=dict)

    # Who watches sees the table as it was so long ago, so that nobody can help a player.
    watch_delay = models.PositiveSmallIntegerField(_("delay for watchers in seconds"), default=0)

    # The chain of seeds (docs/fair_deal.md). The secret end never leaves the server before its time.
    chain_end = models.BinaryField(_("secret end of the chain"))
    chain_length = models.PositiveIntegerField(_("length of the chain"))
    commitment = models.CharField(_("commitment"), max_length=64)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="finished") | Q(due_at__isnull=True), name="table_finished_has_no_clock"
            ),
            models.CheckConstraint(
                condition=Q(status="playing") | Q(turn_seat__isnull=True),
                name="table_turn_only_while_playing",
            ),
            models.CheckConstraint(condition=Q(turn_version__lte=F("version")), name="table_turn_not_ahead"),
            models.CheckConstraint(
                condition=Q(paused_at__isnull=True, pause_left_ms__isnull=True)
                | Q(
                    paused_at__isnull=False,
                    pause_left_ms__isnull=False,
                    pause_until__isnull=False,
                    due_at__isnull=True,
                    status__in=("playing", "between"),
                ),
                name="table_pause_stops_the_clock",
            ),
            models.CheckConstraint(
                condition=Q(stake=0, asset="", pot_account__isnull=True)
                | Q(stake__gt=0, pot_account__isnull=False) & ~Q(asset=""),
                name="table_stake_has_asset_and_pot",
            ),
            models.CheckConstraint(condition=Q(buy_in_min__lte=F("buy_in_max")), name="table_buy_in_range"),
            models.CheckConstraint(
                condition=~Q(origin="") | Q(stepwise=False, deal_limit__isnull=True),
                name="table_limits_belong_to_events",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="table_due"),
            models.Index(fields=["-changed_at"], name="table_changed"),
            models.Index(
                fields=["pause_until"], condition=Q(pause_until__isnull=False), name="table_pause_ends"
            ),
            models.Index(fields=["changed_at"], condition=~Q(status="finished"), name="table_unfinished"),
            models.Index(
                fields=["origin"],
                condition=~Q(origin=""),
                name="table_origin",
                opclasses=["text_pattern_ops"],
            ),
            models.Index(fields=["status", "-opened_at"], condition=Q(listed=True), name="table_lobby"),
        ]

    def __str__(self) -> str:
        return f"{title_of(self.game)} {str(self.id)[:8]}"

    @property
    def options_line(self) -> str:
        """What sets the table apart, in one line of plain words in the active language."""
        rules = GAMES[self.game]
        usual = rules.dump_options(rules.parse_options({}))
        return ", ".join(options_in_words(self.game, self.options, usual))

    @property
    def clock_title(self) -> str:
        """The clock in plain words in the active language."""
        return str(CLOCKS[self.clock])

    @property
    def casual(self) -> bool:
        """Whether nothing but the evening hangs on the match: no chips, no rating, no event."""
        return not (self.staked or self.rated or self.origin)

    @property
    def paused(self) -> bool:
        """Whether a pause is running: the clock stands still and nobody moves."""
        return self.paused_at is not None

    @property
    def staked(self) -> bool:
        """Whether chips move at this table."""
        return self.stake > 0

    @property
    def is_gathering(self) -> bool:
        """Whether people still sit down: no deal was dealt, and no event has given the seats away."""
        gathering = (self.Status.SEATING, self.Status.BETWEEN)
        return not self.origin and self.deal_number == 0 and self.status in gathering

    @property
    def title(self) -> str:
        """The game's name in the active language."""
        return title_of(self.game)


class Seat(models.Model):
    """A place at a table, held by a person or by a bot."""

    table = models.ForeignKey(Table, verbose_name=_("table"), on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("member"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="seats",
    )
    bot_name = models.CharField(_("bot's name"), max_length=40, blank=True)
    bot_level = models.CharField(_("bot's level"), max_length=16, blank=True)
    stand_in = models.BooleanField(_("a bot plays in the member's place"), default=False)
    left = models.BooleanField(_("the member has left"), default=False)
    time_outs = models.PositiveSmallIntegerField(_("time-outs in a row"), default=0)
    sitting_out = models.BooleanField(_("wants not to be dealt in"), default=False)
    deals_out = models.PositiveSmallIntegerField(_("deals sat out in a row by choice"), default=0)
    account = models.PositiveBigIntegerField(_("seat's account"), null=True, blank=True)
    wallet = models.PositiveBigIntegerField(_("wallet behind the seat"), null=True, blank=True)
    ready = models.BooleanField(_("ready for the next deal"), default=False)
    out = models.BooleanField(_("dealt in no more by the event"), default=False)
    nonce = models.CharField(_("number for the shuffle"), max_length=64, blank=True)
    rated_game = models.CharField(
        _("game whose rated match the member is bound to"), max_length=32, blank=True
    )

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_number_once"),
            models.UniqueConstraint(
                fields=["table", "user"], condition=Q(user__isnull=False), name="seat_user_once"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="seat_numbers_from_one"),
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(bot_level=""), name="seat_person_or_bot"
            ),
            # Whoever leaves a rated match stays bound to it until it is over, and cannot begin another one.
            models.UniqueConstraint(
                fields=["user", "rated_game"],
                condition=Q(user__isnull=False) & ~Q(rated_game=""),
                name="seat_one_rated_match_per_game",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.shown_name}"

    @property
    def is_bot(self) -> bool:
        """Whether a bot holds the seat for good."""
        return bool(self.bot_level)

    @property
    def is_free(self) -> bool:
        """Whether nobody has taken the seat yet."""
        return self.user_id is None and not self.bot_level and not self.bot_name

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot decides for this seat now."""
        return self.is_bot or self.stand_in or self.left

    @property
    def played_by_member(self) -> bool:
        """Whether a member holds the seat and plays it now."""
        return self.user_id is not None and not self.played_by_bot

    @property
    def abandoned(self) -> bool:
        """Whether the member is not the one who plays the seat: they left, or a bot stands in."""
        return self.left or self.stand_in

    @property
    def shown_name(self) -> str:
        """The name the table shows."""
        if self.user is not None:
            return self.user.shown_name
        return self.bot_name or str(_("free"))


class SweepMark(models.Model):
    """When the sweep last ran: one row. A gap in it is an outage, and its time is given back to running turns."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("mark of the sweep")
        verbose_name_plural = _("marks of the sweep")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="sweep_mark_is_one_row")]

    def __str__(self) -> str:
        return str(self.at)

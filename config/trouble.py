"""What a person can put right: one line that says what is wrong and what to do."""


class Trouble(Exception):
    """Set-up or start failed for a reason outside the program; the message is meant for whoever started it."""

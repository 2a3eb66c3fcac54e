"""Dates in English as the whole of Europe reads them: no month before the day, no noon to guess, no line's end within."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
MONTH_DAY_FORMAT = "j F"
SHORT_DATE_FORMAT = "j\xa0M\xa0Y"
SHORT_DATETIME_FORMAT = "j\xa0M\xa0Y, H:i"
FIRST_DAY_OF_WEEK = 1

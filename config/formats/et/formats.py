"""What Django leaves open in Estonian: times beside dates, and thousands in groups."""

DATETIME_FORMAT = "j. F Y, H:i"
TIME_FORMAT = "H:i"
SHORT_DATETIME_FORMAT = "d.m.Y H:i"
FIRST_DAY_OF_WEEK = 1
THOUSAND_SEPARATOR = "\xa0"
NUMBER_GROUPING = 3

"""What Django leaves open in Estonian: times beside dates, thousands in groups, a day that stays with its month."""

DATE_FORMAT = "j.\xa0F Y"
DATETIME_FORMAT = "j.\xa0F Y, H:i"
MONTH_DAY_FORMAT = "j.\xa0F"
TIME_FORMAT = "H:i"
SHORT_DATETIME_FORMAT = "d.m.Y, H:i"
FIRST_DAY_OF_WEEK = 1
THOUSAND_SEPARATOR = "\xa0"
NUMBER_GROUPING = 3

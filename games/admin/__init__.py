"""The tables' part of the admin. Each module registers its pages."""

from games.admin.archive import ArchiveFileAdmin
from games.admin.chat import OrganiserActAdmin, ReportAdmin, SilenceAdmin
from games.admin.ratings import RatingAdmin, RatingChangeAdmin
from games.admin.tables import DealAdmin, TableAdmin

__all__ = [
    "ArchiveFileAdmin",
    "DealAdmin",
    "OrganiserActAdmin",
    "RatingAdmin",
    "RatingChangeAdmin",
    "ReportAdmin",
    "SilenceAdmin",
    "TableAdmin",
]

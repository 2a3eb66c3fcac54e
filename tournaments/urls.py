"""Addresses of the events: their pages for everybody, for players and for organisers."""

from django.urls import path

from tournaments import views

app_name = "tournaments"
ONE = "<uuid:event_id>/"
ROUND = f"{ONE}rounds/<int:number>/"
TABLE = f"{ROUND}tables/<int:table>/"

urlpatterns = [
    path("", views.events, name="events"),
    path("calendar/", views.calendar, name="calendar"),
    path("mine/", views.own_events, name="own_events"),
    path("new/", views.new_event, name="new"),
    path("seasons/", views.seasons, name="seasons"),
    path("seasons/<int:season_id>/", views.season, name="season"),
    path("seasons/<int:season_id>/put/", views.season_put, name="season_put"),
    path("seasons/<int:season_id>/take/", views.season_take, name="season_take"),
    path(ONE, views.event, name="event"),
    path(f"{ONE}me/", views.my_seat, name="my_seat"),
    path(f"{ONE}me/<slug:act>/", views.own_act, name="own_act"),
    path(f"{ONE}players/", views.entries, name="entries"),
    path(f"{ONE}players/import/", views.import_entries, name="import_entries"),
    path(f"{ONE}players/<int:number>/", views.player, name="player"),
    path(f"{ONE}players/<int:number>/<slug:act>/", views.entry_act, name="entry_act"),
    path(f"{ONE}players/<slug:act>/", views.entries_act, name="entries_act"),
    path(f"{ONE}rounds/", views.rounds, name="rounds"),
    path(ROUND, views.round_page, name="round"),
    path(f"{ROUND}do/<slug:act>/", views.round_act, name="round_act"),
    path(f"{ROUND}draft/", views.draft, name="draft"),
    path(f"{ROUND}draft/figures/", views.figures, name="figures"),
    path(TABLE, views.table_page, name="table"),
    path(f"{TABLE}do/<slug:act>/", views.table_act, name="table_act"),
    path(f"{ONE}standings/", views.standings, name="standings"),
    path(f"{ONE}result/", views.result, name="result"),
    path(f"{ONE}dealers/", views.dealers, name="dealers"),
    path(f"{ONE}replays/", views.replays, name="replays"),
    path(f"{ONE}draw/", views.draw, name="draw"),
    path(f"{ONE}draw/check/", views.draw_check, name="draw_check"),
    path(f"{ONE}draw/<int:version>/use/", views.use_draw, name="use_draw"),
    path(f"{ONE}screen/", views.screen, name="screen"),
    path(f"{ONE}screen/state/", views.screen_state, name="screen_state"),
    path(f"{ONE}print/", views.printing, name="printing"),
    path(f"{ONE}print/standings/", views.print_standings, name="print_standings"),
    path(f"{ONE}print/poster/", views.print_poster, name="print_poster"),
    path(f"{ONE}print/diplomas/", views.print_diplomas, name="print_diplomas"),
    path(f"{ROUND}print/<slug:what>/", views.print_round, name="print_round"),
    path(f"{ONE}files/", views.files, name="files"),
    path(f"{ONE}files/event.json", views.export_json, name="export_json"),
    path(f"{ONE}files/<slug:what>.csv", views.export_sheet, name="export_sheet"),
    path(f"{ONE}desk/", views.desk, name="desk"),
    path(f"{ONE}do/<slug:act>/", views.act, name="act"),
    path(f"{ONE}terms/", views.terms, name="terms"),
    path(f"{ONE}copy/", views.copy, name="copy"),
    path(f"{ONE}record/", views.record, name="record"),
]

"""Addresses of the tables, of their history, of the statistics and of the rules pages."""

from django.urls import path

from games import views

app_name = "games"
urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play_now, name="play_now"),
    path("lobby/", views.lobby, name="lobby"),
    path("calls/", views.calls, name="calls"),
    path("lobby/mine/", views.my_tables, name="my_tables"),
    path("tables/new/", views.new_table, name="new_table"),
    path("tables/<uuid:table_id>/sit/", views.sit, name="sit"),
    path("tables/<uuid:table_id>/fill/", views.fill, name="fill"),
    path("tables/<uuid:table_id>/move/", views.move, name="move"),
    path("tables/<uuid:table_id>/dismiss/", views.dismiss, name="dismiss"),
    path("tables/<uuid:table_id>/start/", views.start, name="start"),
    path("tables/<uuid:table_id>/wait/", views.wait, name="wait"),
    path("tables/<uuid:table_id>/wait/no-longer/", views.wait_no_longer, name="wait_no_longer"),
    path("tables/<uuid:table_id>/buy/", views.buy, name="buy"),
    path("tables/<uuid:table_id>/", views.table, name="table"),
    path("tables/<uuid:table_id>/leave/", views.leave, name="leave"),
    path("tables/<uuid:table_id>/again/", views.again, name="again"),
    path("tables/<uuid:table_id>/log.json", views.table_log, name="table_log"),
    path("tables/<uuid:table_id>/history/", views.table_history, name="table_history"),
    path("tables/<uuid:table_id>/fair/", views.fair_deal, name="fair"),
    path("tables/<uuid:table_id>/fair/proofs.json", views.fair_proofs, name="fair_proofs"),
    path("tables/<uuid:table_id>/deals/<int:number>/", views.deal, name="deal"),
    path("tables/<uuid:table_id>/deals/<int:number>/steps.json", views.deal_steps, name="deal_steps"),
    path("tables/<uuid:table_id>/deals/<int:number>/record.json", views.deal_record, name="deal_record"),
    path("tables/<uuid:table_id>/deals/<int:number>/proof.json", views.deal_proof, name="deal_proof"),
    path("tables/<uuid:table_id>/report/", views.report, name="report"),
    path("muted/", views.muted, name="muted"),
    path("muted/<int:person_id>/unmute/", views.unmute, name="unmute"),
    path("reports/", views.reports, name="reports"),
    path("reports/acts/", views.organiser_acts, name="organiser_acts"),
    path("reports/<int:report_id>/", views.one_report, name="one_report"),
    path("reports/<int:report_id>/silence/", views.silence, name="silence"),
    path("reports/<int:report_id>/dismiss/", views.dismiss_report, name="dismiss_report"),
    path("reports/<int:report_id>/hide/", views.hide_lines, name="hide_lines"),
    path("silences/<int:silence_id>/lift/", views.lift_silence, name="lift_silence"),
    path("history/", views.own_history, name="own_history"),
    path("people/<str:username>/", views.person, name="person"),
    path("statistics/", views.deal_statistics, name="statistics"),
    path("rules/<slug:game>/", views.rules, name="rules"),
]

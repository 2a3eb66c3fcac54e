"""Addresses of the book for people; the audit desk is in the admin."""

from django.urls import path

from ledger import views

app_name = "ledger"
urlpatterns = [
    path("chips/", views.own_chips, name="own_chips"),
    path("chips/accounts/<int:account>/", views.statement, name="statement"),
    path("chips/accounts/<int:account>/statement.csv", views.statement_csv, name="statement_csv"),
    path("chips/transactions/<int:number>/", views.transaction, name="transaction"),
    path("chips/transactions/<int:number>/receipt.json", views.receipt, name="receipt"),
    path("chips/heads/", views.heads, name="heads"),
    path("chips/check/", views.check, name="check"),
    path("chips/desk/", views.desk, name="desk"),
    path("chips/desk/<slug:name>/", views.act, name="act"),
]

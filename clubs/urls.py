"""Addresses of people: signing in and out."""

from django.contrib.auth import views as auth_views
from django.urls import path

urlpatterns = [
    path("sign-in/", auth_views.LoginView.as_view(redirect_authenticated_user=False), name="login"),
    path("sign-out/", auth_views.LogoutView.as_view(), name="logout"),
]

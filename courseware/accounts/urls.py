"""Signing in and out. Only what exists is routed: allauth's other pages are not part of this site."""

from allauth.account import views
from django.urls import path
from django.views.decorators.http import require_http_methods

# allauth's form views would take a PUT for a POST.
_page_and_form = require_http_methods(["GET", "HEAD", "POST"])

urlpatterns = [
    path("login/", _page_and_form(views.login), name="account_login"),
    path("logout/", _page_and_form(views.logout), name="account_logout"),
    path("inactive/", _page_and_form(views.account_inactive), name="account_inactive"),
    path("password/change/", _page_and_form(views.password_change), name="account_change_password"),
]

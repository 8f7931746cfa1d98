"""Signing in and out, passwords, the second factor, joining. Only what exists is routed: of allauth's pages, these."""

from typing import Any

from allauth.account import views as account
from allauth.mfa.base import views as factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courseware.accounts import views


def _page(view: Any) -> Any:
    return never_cache(require_safe(view))


def _form(view: Any) -> Any:
    # allauth's form views would take a PUT for a POST.
    return never_cache(require_http_methods(["GET", "HEAD", "POST"])(view))


urlpatterns = [
    path("accounts/login/", _form(account.login), name="account_login"),
    path("accounts/logout/", _form(account.logout), name="account_logout"),
    path("accounts/inactive/", _page(account.account_inactive), name="account_inactive"),
    path("accounts/confirm/", _form(account.reauthenticate), name="account_reauthenticate"),
    path("accounts/confirm/code/", _form(factor.reauthenticate), name="mfa_reauthenticate"),
    path("accounts/password/change/", _form(account.password_change), name="account_change_password"),
    path("accounts/password/reset/", _form(account.password_reset), name="account_reset_password"),
    path("accounts/password/reset/sent/", views.reset_sent, name="account_reset_password_done"),
    path(
        "accounts/password/reset/<str:uidb36>/<str:key>/",
        _form(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path(
        "accounts/password/reset/done/",
        _page(account.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    path("accounts/second-factor/", _page(factor.index), name="mfa_index"),
    path("accounts/second-factor/code/", _form(factor.authenticate), name="mfa_authenticate"),
    path("accounts/second-factor/on/", _form(totp.activate_totp), name="mfa_activate_totp"),
    path("accounts/second-factor/off/", _form(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("accounts/second-factor/codes/", _page(recovery_codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "accounts/second-factor/codes/new/",
        _form(recovery_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path("join/", views.join, name="join"),
    path("join/<str:code>/", views.join_cohort, name="join_cohort"),
    path("cohorts/<int:cohort_id>/join-code/", views.cohort_join_code, name="cohort_join_code"),
]

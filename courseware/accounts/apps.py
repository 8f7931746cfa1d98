"""Registers the app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "courseware.accounts"
    label = "accounts"  # AUTH_USER_MODEL names it so

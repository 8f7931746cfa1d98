"""Registers the app."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "courseware.results"

"""Registers the app."""

from django.apps import AppConfig


class StudyConfig(AppConfig):
    name = "courseware.study"

"""Addresses for machines. They are asked under any host name: see `requests.py`, which lists them too."""

from django.urls import path

from courseware.operations import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
]

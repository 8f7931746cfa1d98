"""Addresses of the pages that learners read."""

from django.urls import path

from courseware.study import views
from courseware.study.models import Depth

urlpatterns = [
    path("", views.home, name="home"),
    path("modules/<slug:module_id>/", views.module, name="module"),
    path("concepts/<slug:concept_id>/", views.card, {"depth": Depth.FIVE}, name="card"),
    path("concepts/<slug:concept_id>/fifteen/", views.card, {"depth": Depth.FIFTEEN}, name="card_fifteen"),
    path("concepts/<slug:concept_id>/deep/", views.card, {"depth": Depth.DEEP}, name="card_deep"),
    path("keys/", views.keys, name="keys"),
    path("status/", views.status, name="status"),
]

"""Addresses of the pages that learners read."""

from django.urls import path

from courseware.study import reference_views, views
from courseware.study.models import Depth

urlpatterns = [
    path("", views.home, name="home"),
    path("modules/<slug:module_id>/", views.module, name="module"),
    path("modules/<slug:module_id>/map/", reference_views.module_map_page, name="module_map"),
    path("modules/<slug:module_id>/all/", reference_views.whole_module, name="whole_module"),
    path("glossary/", reference_views.glossary, name="glossary"),
    path("notation/", reference_views.notation, name="notation"),
    path("concepts/<slug:concept_id>/", views.card, {"depth": Depth.FIVE}, name="card"),
    path("concepts/<slug:concept_id>/fifteen/", views.card, {"depth": Depth.FIFTEEN}, name="card_fifteen"),
    path("concepts/<slug:concept_id>/deep/", views.card, {"depth": Depth.DEEP}, name="card_deep"),
    path("keys/", views.keys, name="keys"),
    path("status/", views.status, name="status"),
]

"""Addresses of exercises and submissions."""

from django.urls import path

from grader import views

urlpatterns = [
    path("exercises/", views.exercises, name="exercises"),
    path("exercises/<slug:slug>/", views.exercise, name="exercise"),
    path("exercises/<slug:slug>/draft/", views.draft_save, name="draft_save"),
    path("exercises/<slug:slug>/submit/", views.submit, name="submit"),
    path("submissions/<uuid:submission_id>/", views.submission, name="submission"),
    path("submissions/<uuid:submission_id>/status/", views.submission_status, name="submission_status"),
    path("submissions/<uuid:submission_id>/cancel/", views.submission_cancel, name="submission_cancel"),
]

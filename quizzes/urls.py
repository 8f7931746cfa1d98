"""Addresses of tests, sittings and self-checks."""

from django.urls import path

from quizzes import views

urlpatterns = [
    path("concepts/<slug:concept_id>/self-check/", views.self_check_pick, name="self_check_pick"),
    path("tests/", views.assignments, name="assignments"),
    path("tests/<int:assignment_id>/", views.assignment, name="assignment"),
    path("tests/<int:assignment_id>/open/", views.sitting_open, name="sitting_open"),
    path("sittings/<uuid:sitting_id>/questions/<int:position>/", views.question, name="question"),
    path("sittings/<uuid:sitting_id>/questions/<int:position>/flag/", views.question_flag, name="question_flag"),
    path("sittings/<uuid:sitting_id>/questions/<int:position>/final/", views.question_final, name="question_final"),
    path("sittings/<uuid:sitting_id>/hand-in/", views.hand_in, name="hand_in"),
    path("sittings/<uuid:sitting_id>/review/", views.review, name="review"),
]

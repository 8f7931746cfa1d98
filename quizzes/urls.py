"""Addresses of tests, sittings, self-checks, practice and reports."""

from django.urls import path

from quizzes import practice_views, report_views, views

urlpatterns = [
    path("concepts/<slug:concept_id>/self-check/", views.self_check_pick, name="self_check_pick"),
    path("tests/", views.assignments, name="assignments"),
    path("tests/<int:assignment_id>/", views.assignment, name="assignment"),
    path("tests/<int:assignment_id>/open/", views.sitting_open, name="sitting_open"),
    path("sittings/<uuid:sitting_id>/questions/<int:position>/", views.question, name="question"),
    path("sittings/<uuid:sitting_id>/questions/<int:position>/flag/", views.question_flag, name="question_flag"),
    path("sittings/<uuid:sitting_id>/questions/<int:position>/final/", views.question_final, name="question_final"),
    path("sittings/<uuid:sitting_id>/time/", views.sitting_time, name="sitting_time"),
    path("sittings/<uuid:sitting_id>/hand-in/", views.hand_in, name="hand_in"),
    path("sittings/<uuid:sitting_id>/review/", views.review, name="review"),
    path(
        "sittings/<uuid:sitting_id>/questions/<int:position>/report/",
        report_views.report_reviewed,
        name="report_reviewed",
    ),
    path("practice/", practice_views.overview, name="practice"),
    path("practice/concepts/<slug:concept_id>/", practice_views.of_concept, name="practice_concept"),
    path("practice/ideas/<slug:misconception_id>/", practice_views.of_idea, name="practice_idea"),
    path("practice/concepts/<slug:concept_id>/<slug:slug>/", practice_views.question, name="practice_question"),
    path("practice/answers/<uuid:answer_id>/", practice_views.answer, name="practice_answer"),
    path("practice/answers/<uuid:answer_id>/report/", report_views.report_practised, name="report_practised"),
]

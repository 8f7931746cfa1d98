"""Addresses of the teaching pages. Each is under the cohort that gives the right to see it."""

from django.urls import path

from courseware.results import report_views, views

urlpatterns = [
    path("cohorts/", views.cohorts, name="cohorts"),
    path("cohorts/<int:cohort_id>/", views.cohort, name="cohort"),
    path("cohorts/<int:cohort_id>/results.csv", views.cohort_csv, name="cohort_csv"),
    path("cohorts/<int:cohort_id>/learners/<uuid:user_uuid>/", views.learner, name="cohort_learner"),
    path("cohorts/<int:cohort_id>/sittings/<uuid:sitting_id>/", views.sitting, name="cohort_sitting"),
    path("cohorts/<int:cohort_id>/reports/", report_views.cohort_reports, name="cohort_reports"),
    path("cohorts/<int:cohort_id>/reports/<int:report_id>/", report_views.cohort_report, name="cohort_report"),
    path("cohorts/<int:cohort_id>/submissions/<uuid:submission_id>/", views.submission, name="cohort_submission"),
]

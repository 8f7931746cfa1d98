"""Addresses of the teaching pages. Each is under the cohort that gives the right to see it."""

from django.urls import path

from courseware.results import (
    analysis_views,
    assigning,
    belief_views,
    gradebook_views,
    lms_views,
    program_views,
    report_views,
    roster_views,
    views,
)

urlpatterns = [
    path("cohorts/", views.cohorts, name="cohorts"),
    path("cohorts/<int:cohort_id>/", gradebook_views.cohort, name="cohort"),
    path("cohorts/<int:cohort_id>/results.csv", gradebook_views.cohort_csv, name="cohort_csv"),
    path("cohorts/<int:cohort_id>/learners/<uuid:user_uuid>/", views.learner, name="cohort_learner"),
    path("cohorts/<int:cohort_id>/people/", roster_views.cohort_roster, name="cohort_roster"),
    path(
        "cohorts/<int:cohort_id>/people/<uuid:user_uuid>/withdraw/",
        roster_views.cohort_withdraw,
        name="cohort_withdraw",
    ),
    path(
        "cohorts/<int:cohort_id>/learners/<uuid:user_uuid>/as-learner/",
        roster_views.cohort_as_learner,
        name="cohort_as_learner",
    ),
    path("cohorts/<int:cohort_id>/programs/", program_views.cohort_exercises, name="cohort_exercises"),
    path("cohorts/<int:cohort_id>/programs/<slug:exercise>/", program_views.cohort_exercise, name="cohort_exercise"),
    path("cohorts/<int:cohort_id>/lms/", lms_views.cohort_lms, name="cohort_lms"),
    path("cohorts/<int:cohort_id>/results.xlsx", gradebook_views.cohort_xlsx, name="cohort_xlsx"),
    path(
        "cohorts/<int:cohort_id>/learners/<uuid:user_uuid>/tests/<int:assignment_id>/",
        gradebook_views.cohort_mark,
        name="cohort_mark",
    ),
    path(
        "cohorts/<int:cohort_id>/learners/<uuid:user_uuid>/exercises/<slug:exercise>/",
        gradebook_views.cohort_exercise_mark,
        name="cohort_exercise_mark",
    ),
    path("cohorts/<int:cohort_id>/learners/<uuid:user_uuid>/time/", assigning.learner_time, name="cohort_time"),
    path("cohorts/<int:cohort_id>/tests/", assigning.assignments, name="cohort_assignments"),
    path("cohorts/<int:cohort_id>/tests/new/", assigning.assignment_add, name="cohort_assignment_add"),
    path("cohorts/<int:cohort_id>/tests/<int:assignment_id>/", assigning.assignment, name="cohort_assignment"),
    path("cohorts/<int:cohort_id>/misconceptions/", belief_views.cohort_beliefs, name="cohort_beliefs"),
    path(
        "cohorts/<int:cohort_id>/misconceptions/misconceptions.csv",
        belief_views.cohort_beliefs_csv,
        name="cohort_beliefs_csv",
    ),
    path("cohorts/<int:cohort_id>/misconceptions/<slug:belief_id>/", belief_views.cohort_belief, name="cohort_belief"),
    path(
        "cohorts/<int:cohort_id>/misconceptions/<slug:belief_id>/learners/",
        belief_views.cohort_belief_learners,
        name="cohort_belief_learners",
    ),
    path("cohorts/<int:cohort_id>/questions/", analysis_views.cohort_analyses, name="cohort_analyses"),
    path(
        "cohorts/<int:cohort_id>/questions/<int:assignment_id>/", analysis_views.cohort_analysis, name="cohort_analysis"
    ),
    path(
        "cohorts/<int:cohort_id>/questions/<int:assignment_id>/questions.csv",
        analysis_views.cohort_analysis_csv,
        name="cohort_analysis_csv",
    ),
    path(
        "cohorts/<int:cohort_id>/questions/<int:assignment_id>/<slug:concept>/<slug:question>/",
        analysis_views.cohort_item,
        name="cohort_item",
    ),
    path("cohorts/<int:cohort_id>/sittings/<uuid:sitting_id>/", views.sitting, name="cohort_sitting"),
    path("cohorts/<int:cohort_id>/reports/", report_views.cohort_reports, name="cohort_reports"),
    path("cohorts/<int:cohort_id>/reports/<int:report_id>/", report_views.cohort_report, name="cohort_report"),
    path("cohorts/<int:cohort_id>/submissions/<uuid:submission_id>/", views.submission, name="cohort_submission"),
]

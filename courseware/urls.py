"""Every address of the site, part by part."""

from django.urls import include, path

urlpatterns = [
    path("", include("courseware.accounts.urls")),
    path("", include("courseware.operations.urls")),
    path("", include("courseware.study.urls")),
    path("", include("courseware.results.urls")),
    path("", include("quizzes.urls")),
    path("", include("grader.urls")),
]

handler400 = "courseware.study.failures.unreadable"
handler403 = "courseware.study.failures.forbidden"
handler404 = "courseware.study.failures.not_found"
handler500 = "courseware.study.failures.broken"

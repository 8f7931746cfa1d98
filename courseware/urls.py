"""Every address of the site, part by part."""

from django.urls import include, path

# An address is sought from the top down, so what learners ask for most stands first.
urlpatterns = [
    path("", include("courseware.study.urls")),
    path("", include("quizzes.urls")),
    path("", include("grader.urls")),
    path("", include("courseware.results.urls")),
    path("", include("courseware.operations.urls")),
    path("", include("courseware.accounts.urls")),
]

handler400 = "courseware.study.failures.unreadable"
handler403 = "courseware.study.failures.forbidden"
handler404 = "courseware.study.failures.not_found"
handler500 = "courseware.study.failures.broken"

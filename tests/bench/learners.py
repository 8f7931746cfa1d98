"""Hundreds of learners who are signed in, for measurements."""

from courseware.accounts.models import Cohort, Enrolment, Role, User
from courseware.accounts.sessions import SessionStore
from tests import factories
from tests.bench.serving import BACKEND, CSRF


def signed_in_learners(count: int) -> tuple[Cohort, list[str]]:
    """Return a cohort of so many new learners, and the cookies of each."""
    cohort = factories.make_cohort()
    # Nobody signs in with a password here, and hashing hundreds of them takes longer than what is measured.
    users = User.objects.bulk_create(
        User(email=f"learner{number}@example.org", name=f"Learner {number}") for number in range(count)
    )
    Enrolment.objects.bulk_create(Enrolment(user=user, cohort=cohort, role=Role.LEARNER) for user in users)
    cookies = []
    for user in users:
        session = SessionStore()
        session["_auth_user_id"], session["_auth_user_backend"] = str(user.pk), BACKEND
        session["_auth_user_hash"] = user.get_session_auth_hash()
        session.save()
        cookies.append(f"sessionid={session.session_key}; csrftoken={CSRF}")
    return cohort, cookies

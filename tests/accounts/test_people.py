import io

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.http import Http404
from django.utils import timezone

from courseware.accounts.access import cohort_for_staff, instructs, learner_of, teaches
from courseware.accounts.models import Cohort, Enrolment, Role, User
from courseware.accounts.people import add_user, enrol
from tests.factories import make_cohort, make_enrolment, make_instructor, make_learner, make_user

pytestmark = pytest.mark.django_db


def test_added_person_is_enrolled_in_the_role_given():
    cohort = make_cohort()

    user = add_user(email="A@Example.org", name="A", password="x" * 12, cohort=cohort, role=Role.ASSISTANT)

    assert user.email == "a@example.org"
    assert user.enrolments.get().role == Role.ASSISTANT


def test_address_is_taken_whatever_its_case():
    make_user(email="taken@example.org")

    with pytest.raises(ValidationError):
        add_user(email="Taken@Example.org", name="B", password="x" * 12)


def test_schema_refuses_an_address_twice():
    make_user(email="taken@example.org")

    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(email="TAKEN@example.org", name="B")])


def test_enrolling_again_brings_back_whoever_withdrew():
    enrolment = make_enrolment(withdrawn_at=timezone.now())

    enrol(enrolment.user, enrolment.cohort, Role.LEARNER)

    assert Enrolment.objects.get().withdrawn_at is None


def test_time_zone_must_exist():
    with pytest.raises(ValidationError):
        Cohort(name="X", module="transformers", time_zone="Mars/Olympus").full_clean()


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.INSTRUCTOR])
def test_staff_finds_its_own_cohort(role):
    enrolment = make_enrolment(role=role)

    assert cohort_for_staff(enrolment.user, enrolment.cohort.pk) == enrolment.cohort
    assert teaches(enrolment.user) and teaches(User.objects.get(pk=enrolment.user.pk))


def test_cohort_is_not_found_by_learners_other_staff_or_operators():
    cohort = make_cohort()

    for user in (make_learner(cohort), make_instructor(), make_user(is_staff=True)):
        with pytest.raises(Http404):
            cohort_for_staff(user, cohort.pk)


def test_only_the_instructor_for_whom_a_cohort_was_found_may_change_it():
    cohort = make_cohort()
    instructor, other = make_instructor(cohort), make_instructor(cohort)
    assistant = make_enrolment(cohort=cohort, role=Role.ASSISTANT).user
    found = cohort_for_staff(instructor, cohort.pk)

    assert instructs(instructor, found)
    assert not instructs(other, found) and not instructs(assistant, found)
    assert instructs(other, cohort_for_staff(other, cohort.pk))
    assert not instructs(assistant, cohort_for_staff(assistant, cohort.pk))
    assert not instructs(instructor, cohort)


def test_withdrawn_instructor_has_no_rights_left():
    enrolment = make_enrolment(role=Role.INSTRUCTOR, withdrawn_at=timezone.now())

    with pytest.raises(Http404):
        cohort_for_staff(enrolment.user, enrolment.cohort.pk)
    assert not teaches(enrolment.user) and not teaches(User.objects.get(pk=enrolment.user.pk))


def test_learner_of_another_cohort_is_not_found():
    cohort = make_cohort()

    with pytest.raises(Http404):
        learner_of(cohort, make_learner().uuid)


def test_withdrawn_learner_is_still_found():
    enrolment = make_enrolment(withdrawn_at=timezone.now())

    assert learner_of(enrolment.cohort, enrolment.user.uuid) == enrolment


def test_command_adds_a_person_and_prints_the_password_once():
    cohort, out = make_cohort(name="Spring"), io.StringIO()

    call_command("add_user", "c@example.org", "C", "--cohort", "Spring", "--draw-password", stdout=out)

    password = out.getvalue().split()[-1]
    user = User.objects.get(email="c@example.org")
    assert user.check_password(password)
    assert user.enrolments.get().cohort == cohort


def test_command_names_the_cohorts_it_knows():
    make_cohort(name="Spring")

    with pytest.raises(CommandError, match="Known: Spring"):
        call_command("add_user", "c@example.org", "C", "--cohort", "Autumn", "--draw-password")

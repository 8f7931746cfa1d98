"""Statements that are composed once answer as the query set itself does, whoever fills their gaps."""

import threading
from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from courseware.accounts.models import Enrolment, User
from courseware.statements import Given, Statement
from tests.factories import make_enrolment, make_user

pytestmark = pytest.mark.django_db


def _statement() -> Statement[Enrolment]:
    return Statement(
        lambda: (
            Enrolment.objects.select_related("user", "cohort")
            .filter(user=Given("user", int), enrolled_at__lte=Given("now", datetime))
            .order_by("pk")
        )
    )


def test_each_run_is_answered_for_what_was_given_to_it():
    statement, first, second = _statement(), make_enrolment(), make_enrolment()
    now = timezone.now()

    assert statement.rows(user=first.user_id, now=now) == [first]
    assert statement.rows(user=second.user_id, now=now) == [second]
    assert statement.rows(user=second.user_id, now=second.enrolled_at.replace(year=2000)) == []


def test_a_number_that_no_column_holds_finds_nothing():
    statement, now = _statement(), timezone.now()

    assert statement.rows(user=2**63, now=now) == statement.rows(user=-(2**64), now=now) == []
    assert statement.rows(user=2**63 - 1, now=now) == []


def test_a_run_sees_what_was_written_since_the_last():
    statement, enrolment = _statement(), make_enrolment()
    statement.rows(user=enrolment.user_id, now=timezone.now())

    User.objects.filter(pk=enrolment.user_id).update(name="Somebody Else")

    assert statement.first(user=enrolment.user_id, now=timezone.now()).user.name == "Somebody Else"


def test_what_was_selected_with_a_row_takes_no_second_query():
    statement, enrolment = _statement(), make_enrolment()

    with CaptureQueriesContext(connection) as asked:
        found = statement.first(user=enrolment.user_id, now=timezone.now())
        assert (found.user, found.cohort) == (enrolment.user, enrolment.cohort)

    assert len(asked) == 1


def test_columns_come_as_the_query_set_gives_them():
    user = make_user()
    both = Statement(lambda: User.objects.filter(pk=Given("user", int)).values_list("uuid", "is_active"))
    named = Statement(lambda: User.objects.filter(pk=Given("user", int)).values_list("date_joined", named=True))
    flat = Statement(lambda: User.objects.filter(uuid=Given("uuid", type(user.uuid))).values_list("pk", flat=True))

    assert both.rows(user=user.pk) == [(user.uuid, True)]
    assert named.first(user=user.pk).date_joined == user.date_joined
    assert flat.rows(uuid=user.uuid) == [user.pk]


@pytest.mark.django_db(transaction=True)
def test_every_thread_asks_over_its_own_connection():
    statement, enrolment = _statement(), make_enrolment()
    found = []

    def ask() -> None:
        found.extend(statement.rows(user=enrolment.user_id, now=timezone.now()))
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [enrolment] * 4

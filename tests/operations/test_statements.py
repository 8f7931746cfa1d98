"""Statements that are composed once answer as the query set itself does, whoever fills their gaps."""

import threading
import uuid
from datetime import datetime

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from courseware.accounts.models import Enrolment, User
from courseware.statements import Change, Given, OneForEach, Statement
from quizzes.models import Event, Response, Slot
from tests.factories import make_enrolment, make_sitting, make_user

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


def _renaming() -> Change:
    return Change(lambda: (User.objects.filter(pk=Given("user", int), is_active=True), {"name": Given("name", str)}))


def test_a_change_reaches_the_rows_that_were_given_to_it_and_says_how_many():
    change, one, other = _renaming(), make_user(name="One"), make_user(name="Other")

    changed = [
        change.run(user=one.pk, name="First"),
        change.run(user=other.pk, name="Second"),
        change.run(user=0, name=""),
    ]

    assert changed == [1, 1, 0]
    assert list(User.objects.order_by("pk").values_list("name", flat=True)) == ["First", "Second"]


def test_a_change_that_was_composed_is_one_statement():
    change, user = _renaming(), make_user()
    change.run(user=user.pk, name="First")

    with CaptureQueriesContext(connection) as asked:
        change.run(user=user.pk, name="Second")

    assert len(asked) == 1


def test_rows_are_inserted_together_with_everything_that_they_hold():
    sitting = make_sitting()
    change = Change(
        lambda: [
            Event(
                sitting_id=Given("sitting", uuid.UUID),
                kind="saved",
                at=Given(f"at{n}", datetime),
                detail=Given("detail", dict),
            )
            for n in (1, 2)
        ]
    )
    first, second = timezone.now(), timezone.now()

    assert change.run(sitting=sitting.pk, at1=first, at2=second, detail={"answer": ["−½", None]}) == 2

    logged = Event.objects.filter(sitting=sitting, kind="saved").order_by("pk")
    assert [(each.at, each.slot_id, each.detail) for each in logged] == [
        (first, None, {"answer": ["−½", None]}),
        (second, None, {"answer": ["−½", None]}),
    ]


def test_an_empty_json_value_is_stored_as_none_and_not_as_a_word():
    sitting = make_sitting()
    response = Response.objects.filter(slot__sitting=sitting).first()
    Response.objects.filter(pk=response.pk).update(answer=["a"], revision=1, saved_at=timezone.now())

    Change(lambda: (Response.objects.filter(pk=Given("pk", int)), {"answer": Given("answer", dict)})).run(
        pk=response.pk, answer=None
    )

    assert Response.objects.filter(pk=response.pk, answer__isnull=True).exists()


def test_one_row_is_inserted_for_each_that_a_query_set_finds_with_every_default_of_its_table():
    sitting, other = make_sitting(), make_sitting()
    Response.objects.all().delete()
    slots = list(sitting.slots.all())
    change = Change(lambda: OneForEach(Slot.objects.filter(sitting=Given("s", uuid.UUID)), Response(slot_id=F("pk"))))

    assert change.run(s=sitting.pk) == len(slots)

    made = Response.objects.filter(answer__isnull=True, saved_at=None, mark=None, revision=0).order_by("pk")
    assert [(each.slot, each.misconception_ids, each.save_id) for each in made] == [(slot, [], "") for slot in slots]
    assert not Response.objects.filter(slot__sitting=other).exists()


@pytest.mark.only_on("postgresql")
def test_postgresql_plans_once_what_comes_again():
    statement, user = Statement(lambda: User.objects.filter(pk=Given("user", int))), make_user()

    found = {statement.first(user=user.pk) for _ in range(7)}

    assert found == {user}
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%accounts_user%%'")
        assert cursor.fetchone() == (1,)

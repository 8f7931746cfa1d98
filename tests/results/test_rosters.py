"""Rosters as other systems write them: looked at line by line, then imported whole or not at all."""

import base64
import io
import resource
import zipfile

import openpyxl
import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from courseware.accounts import rosters
from courseware.accounts.models import AuditEntry, Cohort, Enrolment, Role, User
from courseware.accounts.rosters import Outcome, import_roster, plan
from courseware.results.rosters.reading import entries_of
from courseware.results.rosters.workbook import read_roster, read_workbook
from courseware.results.sheets import Unreadable
from quizzes import sittings
from tests.access.cast import withdraw
from tests.factories import make_assignment, make_cohort, make_enrolment, make_instructor, make_learner, make_sitting
from tests.results.crowds import make_crowd

PLAIN = 'Name,E-mail address,Section\nJane Doe,jane@example.org,A\n"O\'Brien, Ann",ANN@example.org,B\n'


def _entries(text: str, encoding: str = "utf-8"):
    return [(each.email, each.name, each.section) for each in entries_of(read_roster(text.encode(encoding)))]


def _workbook(*rows) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


# --- reading ---


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_encodings_and_separators_are_told_apart(encoding, separator):
    text = f"Name{separator}Email\r\nZoë O’Neill{separator}zoe@example.org\r\n"

    assert _entries(text, encoding) == [("zoe@example.org", "Zoë O’Neill", None)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'Student,ID,SIS User ID,SIS Login ID,Section,Test (1)\n    Points Possible,,,,,9\n'
            '"Doe, Jane",1,S1,jane@example.org,A,\n"Student, Test",2,,,A,\n',
            [("jane@example.org", "Jane Doe", "A")],
        ),
        (
            "First name,Last name,ID number,Email address,Groups\nThị,Nguyễn,00123,thi@example.org,G1\n",
            [("thi@example.org", "Thị Nguyễn", "G1")],
        ),
        (
            '"Last Name"\t"First Name"\t"Username"\t"Email"\n"李"\t"雷"\t"lilei"\t"lilei@example.org"\n',
            [("lilei@example.org", "雷 李", None)],
        ),
        ("jane@example.org,Jane Doe\nann@example.org,\"Lee, Ann\"\n",
         [("jane@example.org", "Jane Doe", None), ("ann@example.org", "Ann Lee", None)]),
        ("Name,Email\n'=Jane,jane@example.org\n", [("jane@example.org", "=Jane", None)]),
    ],
    ids=["canvas", "moodle", "blackboard", "without a head", "our own file"],
)  # fmt: skip
def test_each_system_is_read_as_it_writes(text, expected):
    assert _entries(text) == expected


@pytest.mark.parametrize(
    ("text", "words"), [("Name,Phone\nJane,1\n", "No column"), ("Email,Phone\na@b.cd,1\n", "name")]
)
def test_a_roster_without_addresses_or_names_is_refused(text, words):
    with pytest.raises(Unreadable, match=words):
        _entries(text)


def test_a_workbook_is_read_in_a_process_of_its_own():
    content = _workbook(["Name", "Email", "Section"], ["Zoë O’Neill", "zoe@example.org", 7], [None, None, None])

    (entry,) = entries_of(read_roster(content))

    assert (entry.name, entry.email, entry.section) == ("Zoë O’Neill", "zoe@example.org", "7")


def test_a_workbook_that_unpacks_without_end_is_refused_and_leaves_the_site_as_it_was():
    spaces = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = b'<worksheet xmlns="' + spaces + b'"><sheetData><row><c t="str"><v>'
    bomb, whole = io.BytesIO(), io.BytesIO(_workbook(["Name"], ["a"]))
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name in source.namelist():
            is_sheet = name.endswith("sheet1.xml")
            with target.open(name, "w", force_zip64=True) as file:
                file.write(sheet if is_sheet else source.read(name))
                for _ in range(160 if is_sheet else 0):  # 160 MB in 160 kB
                    file.write(b"a" * 1_000_000)
    before = resource.getrlimit(resource.RLIMIT_AS)

    with pytest.raises(Unreadable, match="Save its first sheet as CSV"):
        read_workbook(bomb.getvalue())
    with pytest.raises(Unreadable):
        read_workbook(b"PK\x03\x04 no workbook")
    assert resource.getrlimit(resource.RLIMIT_AS) == before


# --- planning and importing ---


@pytest.fixture
def cohort(db) -> Cohort:
    return make_cohort()


@pytest.fixture
def teacher(cohort) -> User:
    return make_instructor(cohort)


def _outcomes(cohort, text, *, withdraw_others=False):
    entries = entries_of(read_roster(text.encode()))
    return {each.email: each.outcome for each in plan(cohort, entries, withdraw_others=withdraw_others)}


def _import(cohort, teacher, text, *, withdraw_others=False):
    return import_roster(cohort, entries_of(read_roster(text.encode())), withdraw_others=withdraw_others, by=teacher)


def test_every_line_has_an_outcome_and_looking_changes_nothing(cohort, teacher):
    here, elsewhere, left = make_learner(cohort), make_learner(), make_learner(cohort)
    moved = make_enrolment(cohort=cohort, section="A").user
    withdraw(left, cohort)
    lines = [f"{each.name},{each.email},B" for each in (elsewhere, left, moved, teacher)]
    lines += [f"{here.name},{here.email},", "New One,new@example.org,B", "Twice,new@example.org,B"]
    lines += ["No Address,,B", "Wrong,not an address,B", ",nameless@example.org,B", "\u202ex,turned@example.org,B"]
    before = Enrolment.objects.count(), User.objects.count()

    entries = entries_of(read_roster(("Name,Email,Section\n" + "\n".join(lines)).encode()))
    planned = plan(cohort, entries, withdraw_others=True)

    assert [each.outcome for each in planned] == [
        Outcome.JOINS, Outcome.BACK, Outcome.MOVES, Outcome.SAME, Outcome.SAME, Outcome.NEW,
        *[Outcome.REFUSED] * 5,
    ]  # fmt: skip
    assert planned[3].why == "teaches here"
    assert planned[6].why == "the address stands in line 7 already"
    assert (Enrolment.objects.count(), User.objects.count()) == before


def test_importing_does_what_was_shown_and_twice_is_once(cohort, teacher):
    absent = make_learner(cohort)
    sitting = sittings.hand_in(make_sitting(make_assignment(cohort), user=absent).pk)

    _import(cohort, teacher, PLAIN, withdraw_others=True)

    ann = User.objects.get(email="ann@example.org")
    assert (ann.name, ann.enrolments.get().section, ann.enrolments.get().role) == ("Ann O'Brien", "B", Role.LEARNER)
    assert absent.enrolments.get().withdrawn_at is not None
    sitting.refresh_from_db()
    assert sitting.mark is not None
    again = _import(cohort, teacher, PLAIN, withdraw_others=True)
    assert {each.outcome for each in again} == {Outcome.SAME}
    assert AuditEntry.objects.filter(verb="import roster", cohort=cohort, who=teacher).count() == 2


def test_a_roster_neither_renames_nor_makes_nor_unmakes_staff(cohort, teacher):
    learner = make_learner(cohort)

    _import(cohort, teacher, f"Name,Email,Role\nMallory,{learner.email},teacher\nDean,{teacher.email},student\n")

    learner.refresh_from_db()
    assert learner.name != "Mallory"
    assert learner.enrolments.get().role == Role.LEARNER
    assert teacher.enrolments.get().role == Role.INSTRUCTOR


def test_an_import_that_fails_in_the_middle_changes_nothing(cohort, teacher, monkeypatch):
    def fail(*arguments, **named):
        raise RuntimeError("the database went away")

    monkeypatch.setattr(rosters.audit, "note", fail)

    with pytest.raises(RuntimeError):
        _import(cohort, teacher, PLAIN)
    assert not User.objects.filter(email="ann@example.org").exists()


def test_whoever_was_imported_sets_a_password_by_the_letter_for_a_lost_one(cohort, teacher):
    _import(cohort, teacher, PLAIN)

    Client().post(reverse("account_reset_password"), {"email": "ann@example.org"})

    (letter,) = mail.outbox
    assert letter.recipients() == ["ann@example.org"]
    assert "/accounts/password/" in letter.body


def test_the_page_shows_the_dry_run_and_imports_on_the_second_click(cohort, teacher, signed_in):
    browser, path = signed_in(teacher), reverse("cohort_roster", args=[cohort.pk])

    page = browser.post(path, {"file": SimpleUploadedFile("people.csv", PLAIN.encode())})
    text = " ".join(page.content.decode().split())

    assert "2 new account" in text
    assert not User.objects.filter(email="ann@example.org").exists()
    carried = base64.b64encode(PLAIN.encode()).decode()
    assert f'value="{carried}"' in text
    assert browser.post(path, {"content": carried, "import": ""}).status_code == 302
    assert User.objects.filter(email="ann@example.org").exists()


def test_people_are_listed_fifty_a_page_and_found_by_name_or_address(cohort, teacher, signed_in):
    make_crowd(cohort, 60)
    browser, path = signed_in(teacher), reverse("cohort_roster", args=[cohort.pk])

    def listed(**query):
        text = browser.get(path, query).content.decode()
        return text.count('<th scope="row"'), text

    assert [listed(page=page)[0] for page in ("1", "2", "9", "x")] == [50, 11, 11, 50]
    first = listed()[1]
    assert teacher.email in first
    assert "50 of 61 shown." in first
    assert 'href="?find=&amp;page=2">Next' in first
    assert listed(find="learner 0007")[0] == listed(find=f"CROWD{cohort.pk}-7@")[0] == 1
    assert "Nobody fits." in listed(find="<b>")[1]


def test_a_learner_is_withdrawn_and_taken_back(cohort, teacher, signed_in):
    learner, browser = make_learner(cohort), signed_in(teacher)
    path = reverse("cohort_withdraw", args=[cohort.pk, learner.uuid])

    browser.post(path, {"action": "withdraw"})
    assert learner.enrolments.get().withdrawn_at is not None
    browser.post(path, {"action": "back"})
    browser.post(path, {"action": "back"})

    assert learner.enrolments.get().withdrawn_at is None
    assert AuditEntry.objects.filter(cohort=cohort).count() == 2


def test_staff_see_what_a_learner_sees_and_no_more_in_their_review(cohort, teacher, signed_in):
    test = make_assignment(cohort, marks_shown="never", explanations_shown="never")
    learner = make_learner(cohort)
    sitting = sittings.hand_in(make_sitting(test, user=learner).pk)
    browser = signed_in(teacher)

    page = browser.get(reverse("cohort_as_learner", args=[cohort.pk, learner.uuid])).content.decode()
    review = reverse("cohort_sitting", args=[cohort.pk, sitting.pk])
    as_learner = browser.get(review, {"as": "learner"}).content.decode()

    assert f"{review}?as=learner" in page
    assert "<h1>0 of 9</h1>" in browser.get(review).content.decode()
    assert "<h1>Handed in</h1>" in as_learner
    assert "0 of 9" not in as_learner.partition("<main")[2]

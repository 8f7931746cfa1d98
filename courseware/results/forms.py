"""What instructors type about a test and about a learner's time: its shape, and what is wrong with it in words."""

import hashlib
from dataclasses import astuple
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from quizzes import moments
from quizzes.assignments import Conditions
from quizzes.catalogue import current_bank
from quizzes.models import LONGEST_REASON, Assignment, Counts, Feedback
from quizzes.timing import LARGEST_FACTOR

SAME_PAPER = (("own", "A paper of their own for everybody"), ("same", "The same paper for everybody"))
SHOWN = (
    (Feedback.AT_HAND_IN, "When they hand in"),
    (Feedback.AFTER_CLOSING, "After the test has closed for them"),
    (Feedback.AT_ONCE, "As soon as an answer is final"),
    (Feedback.NEVER, "Never"),
)
LONGEST_MINUTES = 32_000  # what the column holds; three weeks


class MomentField(forms.CharField):
    """A day and a time in the zone of a cohort. What comes back as it was shown is the instant that is held."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"})

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=30, **options)
        self.zone = ZoneInfo("UTC")
        self.held: datetime | None = None

    def show(self, held: datetime | None, zone: ZoneInfo) -> str:
        """Return the text for an instant, and remember both."""
        self.held, self.zone = held, zone
        return "" if held is None else moments.typed(held, zone)

    def clean(self, value: Any) -> datetime | None:
        text = super().clean(value)
        if not text:
            return None
        # An instant may have seconds, or stand in the hour that comes twice; saving a form unchanged must not move it.
        if self.held is not None and text == moments.typed(self.held, self.zone):
            return self.held
        try:
            return moments.read(text, self.zone)
        except moments.UnreadableMoment as error:
            raise forms.ValidationError(str(error)) from None


class WholeNumberField(forms.IntegerField):
    """A number without decimals, with the fault in our words."""

    def __init__(self, *, least: int, most: int, **options: Any) -> None:
        words = f"Write a whole number from {least} to {most}."
        messages = dict.fromkeys(("invalid", "min_value", "max_value", "required"), words)
        super().__init__(min_value=least, max_value=most, error_messages=messages, **options)


class ConditionsForm(forms.Form):
    """Everything about a test that its instructors decide."""

    title = forms.CharField(max_length=120, error_messages={"required": "Give the test a title."})
    blueprint = forms.ChoiceField()
    paper = forms.ChoiceField(choices=SAME_PAPER)
    opens_at = MomentField()
    closes_at = MomentField()
    minutes = WholeNumberField(least=1, most=LONGEST_MINUTES, required=False)
    attempts = WholeNumberField(least=1, most=100)
    counts = forms.ChoiceField(
        choices=[(rule, "None: it is practice" if rule == Counts.NONE else f"The {rule} one") for rule in Counts.values]
    )
    late_until = MomentField()
    late_percent_per_day = WholeNumberField(least=0, most=100, required=False)
    marks_shown = forms.ChoiceField(choices=SHOWN)
    explanations_shown = forms.ChoiceField(choices=SHOWN)
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, held: Conditions, assignment: Assignment, is_begun: bool) -> None:
        self._held, self._assignment = held, assignment
        zone = assignment.zone
        initial = {
            name: getattr(held, name)
            for name in ("title", "blueprint", "minutes", "attempts", "counts", "marks_shown", "explanations_shown")
        }
        initial |= {
            "paper": "same" if held.same_paper else "own",
            "late_percent_per_day": held.late_percent_per_day or None,
            "seen": _digest(held),
        }
        super().__init__(data, initial=initial)
        for name in ("opens_at", "closes_at", "late_until"):
            field = self.fields[name]
            assert isinstance(field, MomentField)
            field.initial = self.initial[name] = field.show(getattr(held, name), zone)
        known = {name: blueprint.title for name, blueprint in current_bank().blueprints.items()}
        choice = self.fields["blueprint"]
        assert isinstance(choice, forms.ChoiceField)
        # A blueprint may have left the course since; the form must still be able to say so.
        choice.choices = list(({held.blueprint: held.blueprint} | known).items())
        for name in ("blueprint", "paper"):
            self.fields[name].disabled = is_begun

    def conditions(self) -> Conditions:
        """Return what a valid form says."""
        values = {name: value for name, value in self.cleaned_data.items() if name not in ("paper", "seen")}
        return Conditions(
            **values | {"late_percent_per_day": values["late_percent_per_day"] or 0},
            same_paper=self.cleaned_data["paper"] == "same",
        )

    def clean(self) -> dict[str, Any]:
        """Compare the fields with each other, with the other tests, and with what the page had shown."""
        cleaned = super().clean() or {}
        taken = Assignment.objects.filter(cohort=self._assignment.cohort, title=cleaned.get("title"))
        if taken.exclude(pk=self._assignment.pk).exists():
            self.add_error("title", "Another test of this cohort has this title.")
        opens, closes, late = (cleaned.get(name) for name in ("opens_at", "closes_at", "late_until"))
        if opens and closes and closes <= opens:
            self.add_error("closes_at", "The test must close after it opens.")
        if late and not closes and "closes_at" not in self.errors:
            self.add_error("late_until", "Only a test that closes can take answers late.")
        if late and closes and late <= closes:
            self.add_error("late_until", "Late answers can be taken only after the test has closed.")
        if cleaned.get("late_percent_per_day") and not late and "late_until" not in self.errors:
            self.add_error("late_until", "Say until when late answers are taken, or take the percentage away.")
        for name in ("marks_shown", "explanations_shown"):
            if cleaned.get(name) == Feedback.AFTER_CLOSING and not closes and "closes_at" not in self.errors:
                self.add_error(name, "A test that never closes cannot show anything after closing.")
        if self._assignment.pk and cleaned.get("seen") != _digest(self._held):
            self.add_error(
                None,
                "Somebody else changed this test after you had opened this page. Your changes stand below and are not"
                " saved; compare them with the test as it is now.",
            )
        return cleaned


class AccommodationForm(forms.Form):
    """More time in every test."""

    factor = forms.CharField(max_length=6)
    extra_minutes = WholeNumberField(least=0, most=LONGEST_MINUTES)

    def clean_factor(self) -> Decimal:
        try:
            factor = Decimal(self.cleaned_data["factor"].replace(",", "."))
        except InvalidOperation:
            factor = Decimal("NaN")
        if not factor.is_finite() or not 1 <= factor <= LARGEST_FACTOR or factor != round(factor, 2):
            raise forms.ValidationError(
                f"Write a number from 1 to {LARGEST_FACTOR} with at most two decimals, such as 1.25 or 1.5."
            )
        return factor


class ExtensionForm(forms.Form):
    """More of one test, once."""

    assignment = forms.IntegerField(widget=forms.HiddenInput)
    already_given = forms.IntegerField(widget=forms.HiddenInput)
    minutes = WholeNumberField(least=0, most=1440, label="More minutes")
    attempts = WholeNumberField(least=0, most=10, label="More attempts")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned["minutes"] and not cleaned["attempts"]:
            self.add_error("minutes", "Give minutes, an attempt, or both.")
        return cleaned


class MarkForm(forms.Form):
    """A mark set by hand, and why."""

    mark = forms.CharField(max_length=12, error_messages={"required": "Write the new mark."})
    reason = forms.CharField(
        max_length=LONGEST_REASON, error_messages={"required": "Say why: the learner reads it beside the mark."}
    )

    def clean_mark(self) -> Decimal:
        try:
            mark = Decimal(self.cleaned_data["mark"].replace(",", "."))
        except InvalidOperation:
            mark = Decimal("NaN")
        if not mark.is_finite() or mark != round(mark, 2):
            raise forms.ValidationError("Write a number with at most two decimals, such as 7 or 7.5.")
        return mark


def _digest(conditions: Conditions) -> str:
    values = "|".join(str(value) for value in astuple(conditions))
    return hashlib.sha256(values.encode()).hexdigest()[:16]

"""Verdicts on programs that gave no answers to compare, each with the sentence that says what to do.

Learners read these sentences, so they name only what the brief names, and nothing of the judge's machine.
"""

from collections.abc import Sequence
from dataclasses import replace

from grader.exercises import Limits
from grader.judge.probing import Probe
from grader.judge.wording import storable
from grader.messages import SOURCE_LIMIT
from grader.sandbox.replies import CallReply, Cause, Died, Missing, Raised
from grader.verdicts import ErrorReport, Outcome, Verdict

SENTENCE_LIMIT = 600  # what a verdict's sentence may hold
MESSAGE_SHOWN = 300  # of an exception's message in the sentence; the error report has it whole


def refused() -> Verdict:
    return Verdict(
        Outcome.REFUSED,
        "There is no program in what was submitted, or far too long a one; write the function and submit again.",
    )


def broken_exercise(reason: str) -> Verdict:
    return Verdict(
        Outcome.BROKEN_EXERCISE,
        "This exercise is broken, and that is ours to mend. No attempt was used.",
        reason=storable(reason),
    )


def operator(reason: str) -> Verdict:
    return Verdict(
        Outcome.OPERATOR,
        "The grader could not run your program, and that is ours to mend. Nothing was charged.",
        reason=storable(reason),
    )


def missing(reply: Missing, signature: str) -> Verdict:
    what = f"{reply.function} in your file is not a function" if reply.is_defined else f"no function {reply.function}"
    sentence = what if reply.is_defined else f"Your file defines {what}"
    return Verdict(Outcome.ERROR, f"{sentence}; begin it with def {signature}, exactly as in the brief.")


def raised_while_loading(reply: Raised, limits: Limits) -> Verdict:
    """Return the verdict on a file whose own lines raised, before any function was called."""
    verdict = _raised(reply, "while your file was loaded")
    return _out_of_memory(limits, verdict) if reply.is_out_of_memory else verdict


def raised(probe: Probe, reply: Raised, replies: Sequence[CallReply], limits: Limits) -> Verdict:
    """Return the verdict on a program that raised in some of its calls; `probe` is the first of them."""
    is_everywhere = all(isinstance(other, Raised) for other in replies)
    verdict = _raised(reply, "" if is_everywhere else f"when it was called with {probe.call.tried_with}")
    return _out_of_memory(limits, verdict) if reply.is_out_of_memory else verdict


def died(reply: Died, limits: Limits) -> Verdict:
    """Return the verdict on a program whose process is gone."""
    outcome, sentence = _DEATHS[reply.cause]
    return Verdict(
        outcome,
        sentence.format(seconds=f"{limits.call_seconds:g}", mebibytes=limits.memory_bytes // (1024 * 1024)),
        reason=storable(reply.detail),
    )


_DEATHS = {
    Cause.TIME: (
        Outcome.TIME,
        "Your code was still running after {seconds} seconds and was stopped; look for a loop that never ends.",
    ),
    Cause.MEMORY: (
        Outcome.MEMORY,
        "Your code took more than {mebibytes} MB and was stopped; look for an array that is far larger than needed.",
    ),
    Cause.OUTPUT: (
        Outcome.OUTPUT,
        "Your code printed or returned far too much and was stopped; print less and return only the result.",
    ),
    Cause.CRASH: (
        Outcome.ERROR,
        "Your code made Python itself crash; look for endless recursion or arrays made from raw memory.",
    ),
    Cause.EXIT: (
        Outcome.ERROR,
        "Your code ended its own process before it answered; remove the exit and return the result instead.",
    ),
    Cause.PROTOCOL: (
        Outcome.ERROR,
        "Your code wrote where only results are sent, so no answer arrived; print to standard output instead.",
    ),
}


def _raised(reply: Raised, circumstance: str) -> Verdict:
    type_name, message = storable(reply.type_name, 100), storable(reply.message)
    # The line is what the guest says; a number that no file reaches is no line.
    line = reply.line if reply.line and 1 <= reply.line <= SOURCE_LIMIT else None
    place = f" in line {line}" if line else ""
    when = f" {circumstance}" if circumstance else ""
    sentence = f"Your code stopped{place}{when}: {storable(f'{type_name}: {message}', MESSAGE_SHOWN)}"
    return Verdict(Outcome.ERROR, storable(sentence, SENTENCE_LIMIT), error=ErrorReport(type_name, message, line))


def _out_of_memory(limits: Limits, verdict: Verdict) -> Verdict:
    outcome, sentence = _DEATHS[Cause.MEMORY]
    return replace(verdict, outcome=outcome, sentence=sentence.format(mebibytes=limits.memory_bytes // (1024 * 1024)))

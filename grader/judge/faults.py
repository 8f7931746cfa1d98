"""Verdicts on programs that gave no answers to compare, each with the sentence that says what to do.

Learners read these sentences, so they name only what the brief names, and nothing of the judge's machine.
"""

from collections.abc import Sequence
from dataclasses import replace

from grader.exercises import Limits
from grader.judge.probing import Probe
from grader.judge.wording import mebibytes, signal_name, storable, without_our_places
from grader.messages import SOURCE_LIMIT
from grader.sandbox.limits import Limits as SandboxLimits
from grader.sandbox.replies import CallReply, Cause, Died, Missing, Raised
from grader.verdicts import ErrorReport, Outcome, Verdict

SENTENCE_LIMIT = 600  # what a verdict's sentence may hold
MESSAGE_SHOWN = 300  # of an exception's message in the sentence; the error report has it whole
LOADING = "while your file was loaded"
_SCRATCH = "Here only /tmp can be written, and it holds 16 MB."
_DTYPES = "Tensors and layers that you make are float32; give them the dtype of what comes in."
_DEVICE = "Leave tensors on the device on which they come, and make others beside them."
_ADVICE = {
    "Operation not permitted": "Here a program may not start processes, open connections or change what files allow.",
    "can't start new thread": f"Here a program may have {SandboxLimits.threads} threads.",
    "Read-only file system": _SCRATCH,
    "File too large": _SCRATCH,
    "No space left on device": _SCRATCH,
    "same dtype": _DTYPES,
    "same datatype": _DTYPES,
    "expected scalar type": _DTYPES,
    "not compiled with CUDA": _DEVICE,
    "NVIDIA driver": _DEVICE,
    # Python says so of the file's own function where no line of the file has run.
    "positional argument": "A call passes what the brief lists, in its order; compare the parameters of your function.",
}
_OF_NOTEBOOKS = ("%", "!", "```", ">>>", "In [")  # what lines of notebooks, of answers and of sessions begin with


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


def missing(reply: Missing, opening: str) -> Verdict:
    kind = "class" if opening.startswith("class") else "function"
    what = f"{reply.function} in your file is not a {kind}" if reply.is_defined else f"no {kind} {reply.function}"
    sentence = what if reply.is_defined else f"Your file defines {what}"
    return Verdict(Outcome.ERROR, f"{sentence}; begin it with {opening}, exactly as in the brief.")


def raised_while_loading(reply: Raised, limits: Limits, source: str) -> Verdict:
    """Return the verdict on a file whose own lines raised, before any function was called."""
    verdict = _raised(reply, LOADING, limits)
    lines = source.splitlines()
    if reply.type_name == "SyntaxError" and reply.line and reply.line <= len(lines):
        line = lines[reply.line - 1].lstrip()
        if mark := next((mark for mark in _OF_NOTEBOOKS if line.startswith(mark)), ""):
            return replace(verdict, remarks=(f"A line that begins with {mark} is not Python; leave it out.",))
    return verdict


def raised(probe: Probe, reply: Raised, replies: Sequence[CallReply], limits: Limits) -> Verdict:
    """Return the verdict on a program that raised in some of its calls; `probe` is the first of them."""
    is_everywhere = all(isinstance(other, Raised) for other in replies)
    return _raised(reply, "" if is_everywhere else calling(probe), limits)


def calling(probe: Probe) -> str:
    return f"when it was called with {probe.call.tried_with}"


def died(reply: Died, limits: Limits, circumstance: str) -> Verdict:
    """Return the verdict on a program whose process is gone; the circumstance says over which of its calls."""
    outcome, sentence = _death(reply, limits, circumstance)
    return Verdict(outcome, storable(sentence, SENTENCE_LIMIT), reason=storable(reply.detail))


def measured(verdict: Verdict, peak_bytes: int) -> Verdict:
    """Return a verdict for memory with the figure that the kernel gave; that it was too much is the program's word."""
    figure = f"The most that it held at once was {mebibytes(peak_bytes)} MB, Python and the libraries included."
    return replace(verdict, sentence=storable(f"{verdict.sentence} {figure}", SENTENCE_LIMIT))


def _death(reply: Died, limits: Limits, circumstance: str) -> tuple[Outcome, str]:
    when = f" {circumstance}"
    match reply.cause:
        case Cause.TIME if reply.is_all_calls:
            sentence = (
                f"Your code took {reply.seconds:.1f} s for all calls together, and {limits.total_seconds:g} s is the"
                f" most; it was stopped{when}. Look for work that grows much faster than the input."
            )
            return Outcome.TIME, sentence
        case Cause.TIME:
            sentence = (
                f"Your code was still running after {reply.seconds:.1f} s{when}, and was stopped: one call may take"
                f" {limits.call_seconds:g} s. Look for a loop that never ends."
            )
            return Outcome.TIME, sentence
        case Cause.MEMORY:
            return Outcome.MEMORY, _memory_sentence(limits, when)
        case Cause.OUTPUT if reply.is_result:
            most = mebibytes(SandboxLimits.result_bytes)
            return Outcome.OUTPUT, f"Your code returned more than {most} MB{when}. Return only the result."
        case Cause.OUTPUT:
            most = mebibytes(SandboxLimits.flood_bytes)
            return Outcome.OUTPUT, f"Your code printed more than {most} MB{when}, and was stopped. Print less."
        case Cause.CRASH:
            sentence = (
                f"Your code made Python itself crash ({signal_name(reply.signal or 0)}){when}; look for endless"
                " recursion or arrays made from raw memory."
            )
            return Outcome.ERROR, sentence
        case Cause.EXIT:
            code = "" if reply.exit_code is None else f" with exit code {reply.exit_code}"
            sentence = f"Your code ended its own process{code}{when}; remove the exit and return the result instead."
            return Outcome.ERROR, sentence
        case Cause.PROTOCOL:
            sentence = (
                f"Your code wrote where only results are sent, so no answer arrived{when}; print to standard output"
                " instead."
            )
            return Outcome.ERROR, sentence


def _memory_sentence(limits: Limits, where: str) -> str:
    most = mebibytes(limits.memory_bytes)
    return (
        f"Your code ran out of memory{where}: it may take {most} MB beyond Python and the libraries. Look for an array"
        " that is far larger than needed."
    )


def _raised(reply: Raised, circumstance: str, limits: Limits) -> Verdict:
    type_name = storable(without_our_places(reply.type_name), 100)
    message = storable(without_our_places(reply.message))
    # The line is what the guest says; a number that no file reaches is no line.
    line = reply.line if reply.line and 1 <= reply.line <= SOURCE_LIMIT else None
    where = (f" in line {line}" if line else "") + (f" {circumstance}" if circumstance else "")
    error = ErrorReport(type_name, message, line)
    if reply.is_out_of_memory and circumstance == LOADING and line is None:
        # Python's parser says so of its own stack, before any line has run.
        sentence = "Python could not read your file: something in it is nested too deeply. Write it in several steps."
        return Verdict(Outcome.ERROR, sentence, error=error)
    if reply.is_out_of_memory:
        return Verdict(Outcome.MEMORY, storable(_memory_sentence(limits, where), SENTENCE_LIMIT), error=error)
    said = storable(f"{type_name}: {message}", MESSAGE_SHOWN)
    sentence = storable(f"Your code stopped{where}: {said}", SENTENCE_LIMIT)
    return Verdict(Outcome.ERROR, sentence, error=error, remarks=_advice(message, line))


def _advice(message: str, line: int | None) -> tuple[str, ...]:
    """Return what to do about a message that is not worded for learners: most are the kernel's or Python's own."""
    if line is not None and "positional argument" in message:
        return ()  # a call of the file's own, which its line shows
    return next(((advice,) for said, advice in _ADVICE.items() if said in message), ())

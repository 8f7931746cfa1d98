"""Which questions need a look, and why, in words an instructor can act on. Pure."""

from dataclasses import dataclass

from courseware.results.analysis.report import OPEN, ItemLine

# Below the first a question works against the rest of the test; below the second it says nothing about a learner.
LEAST_ITEM_REST, LEAST_UPPER_LOWER = 0.10, 0.20
HARDEST, EASIEST, EASY = 0.20, 0.95, 0.90
DEAD = 0.02  # share of learners; an option that fewer pick lures nobody
# For a question without a flag: what Ebel (1965, Measuring Educational Achievement) calls very good, and good.
VERY_GOOD, GOOD = 0.40, 0.20


@dataclass(frozen=True)
class Flag:
    """One thing to look at: a word or two, and the sentence with its figure."""

    name: str
    reason: str


def flags_of(item: ItemLine) -> tuple[Flag, ...]:
    """Return what is wrong with a question as far as its figures tell, the gravest first."""
    return tuple(flag for flag in (_miskeyed(item), *_weak(item), _extreme(item), *_dead(item)) if flag)


def judgement(item: ItemLine) -> str:
    """Return the question in one phrase, the title of its page."""
    flags = flags_of(item)
    if flags:
        return flags[0].name
    rest = item.item_rest.number
    if rest is None:
        return "Not to be judged yet" if item.item_rest.reason else "No judgement"
    if rest >= VERY_GOOD:
        return "A sharp question"
    return "A sound question" if rest >= GOOD else "A question that separates little"


def two(number: float) -> str:
    """Return a figure with two decimals and a true minus sign."""
    return f"{number:.2f}".replace("-", "−")


def percent(share: float) -> str:
    return f"{100 * share:.0f} %".replace("-", "−")


def _miskeyed(item: ItemLine) -> Flag | None:
    if len(item.right) != 1:
        return None
    strongest = {pick.key: pick.by_fifth[-1] for pick in item.picks if pick.by_fifth and pick.key[0] != "="}
    key = strongest.pop(item.right[0], None)
    wrong = max(strongest.values(), default=0.0)
    if key is None or wrong <= key:
        return None
    return Flag(
        "Possibly the wrong key",
        f"Of the strongest fifth {percent(wrong)} pick one wrong option and {percent(key)} the answer.",
    )


def _weak(item: ItemLine) -> list[Flag]:
    rest, ends = item.item_rest.number, item.upper_lower.number
    if rest is not None and rest < 0:
        reason = f"Item-rest correlation {two(rest)}: whoever does well elsewhere does worse here."
        return [Flag("Check the key", reason)]
    if rest is not None and rest < LEAST_ITEM_REST and item.facility <= EASY:
        return [Flag("Weak", f"Item-rest correlation {two(rest)}: it hardly goes with the other questions.")]
    if ends is not None and ends < LEAST_UPPER_LOWER and item.facility <= EASY:
        return [Flag("Weak", f"The upper 27 % earn only {two(ends)} more of it than the lower 27 %.")]
    return []


def _extreme(item: ItemLine) -> Flag | None:
    if item.seen < 2 or HARDEST <= item.facility <= EASIEST:
        return None
    how = "hard" if item.facility < HARDEST else "easy"
    return Flag(f"Very {how}", f"Facility {percent(item.facility)}: it says little about most learners.")


def _dead(item: ItemLine) -> list[Flag]:
    options = [pick for pick in item.picks if pick.key[0] != "=" and pick.key not in item.right]
    # One learner in fifty is below the threshold by chance until some fifty have answered.
    if item.seen * DEAD < 1:
        return []
    dead = [pick for pick in options if pick.share < DEAD]
    if not dead or not item.picks or all(pick.key == OPEN for pick in item.picks):
        return []
    words = "One option lures" if len(dead) == 1 else f"{len(dead)} options lure"
    return [Flag("Dead option", f"{words} nobody: under {percent(DEAD)} pick {'it' if len(dead) == 1 else 'each'}.")]

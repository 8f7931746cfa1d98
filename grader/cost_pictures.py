"""What a program took as its input grew, drawn beside the course's own program and beside n and n², with the finding.

Reads the part of a verdict that a judge measured; decides nothing about it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from courseware.drawing.chart import Line, Scale, chart
from courseware.drawing.safe_html import SafeHtml

MEBIBYTE = 1024 * 1024
# Below these a figure is noise, and a logarithmic axis cannot show 0.
LEAST_MEGABYTES, LEAST_SECONDS = 0.1, 0.001


@dataclass(frozen=True)
class CostPictures:
    """Memory and time over the length, and what is to be seen in them."""

    lead: str
    figures: tuple[SafeHtml, ...]


def cost_pictures(cost: dict[str, Any] | None) -> CostPictures | None:
    """Return the pictures of a verdict's cost; None if it has none, or too few figures to draw a line."""
    if not cost or len(cost["memory_bytes"]) < 2:
        return None
    measured = len(cost["memory_bytes"])
    lengths, counted = cost["lengths"][:measured], cost["counted"]
    megabytes = _shown(cost["memory_bytes"], MEBIBYTE, LEAST_MEGABYTES, digits=1)
    own_megabytes = _shown(cost["reference_bytes"][:measured], MEBIBYTE, LEAST_MEGABYTES, digits=1)
    seconds = _shown(cost["seconds"], 1, LEAST_SECONDS, digits=3)
    own_seconds = _shown(cost["reference_seconds"][:measured], 1, LEAST_SECONDS, digits=3)
    stopped = "" if measured == len(cost["lengths"]) else f" Your program did not come to its end at more {counted}."
    lead = (
        f"From {lengths[0]:,} to {lengths[-1]:,} {counted}, n grows {_times(lengths)} and n² {_times(lengths, 2)}."
        f" {_grown('memory', megabytes, own_megabytes)} {_grown('time', seconds, own_seconds)}{stopped}"
        " Memory is what was held beyond the start; time is shown and never graded, since the machine is shared."
    )
    figures = (
        _figure(lengths, megabytes, own_megabytes, counted=counted, title="Memory", unit="MB"),
        _figure(lengths, seconds, own_seconds, counted=counted, title="Time", unit="seconds"),
    )
    return CostPictures(lead, figures)


def _figure(
    lengths: Sequence[int], theirs: Sequence[float], own: Sequence[float], *, counted: str, title: str, unit: str
) -> SafeHtml:
    start = own[0]
    lines = [
        Line("Yours", theirs),
        Line("Reference", own),
        Line("like n", [start * length / lengths[0] for length in lengths]),
        Line("like n²", [start * (length / lengths[0]) ** 2 for length in lengths]),
    ]
    return chart(
        lengths,
        lines,
        x=Scale(counted, is_logarithmic=True),
        y=Scale(unit, is_logarithmic=True),
        key=f"cost-{title.lower()}",
        title=f"{title}, in {unit}",
        finding=_grown(title.lower(), theirs, own),
    )


def _shown(figures: Sequence[float], unit: int, least: float, *, digits: int) -> list[float]:
    return [max(round(figure / unit, digits), least) for figure in figures]


def _grown(what: str, theirs: Sequence[float], own: Sequence[float]) -> str:
    return f"Your {what} grows {_times(theirs)}, the reference’s {_times(own)}."


def _times(figures: Sequence[float], power: int = 1) -> str:
    return f"{(figures[-1] / figures[0]) ** power:.3g} times"

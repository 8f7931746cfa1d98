"""How much a guest may use. Values only: the runner keeps the clock, the guest limits itself before learner code."""

from dataclasses import dataclass

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of one guest. An exercise states its own where these do not fit; none of them can be switched off."""

    start_seconds: float = 20.0  # to limit and seal a guest that is warm: a millisecond on an idle core
    wall_seconds: float = (
        2.0  # loading the module, and one call: tiny inputs take milliseconds, an endless loop for ever
    )
    total_seconds: float = 20.0  # from the first byte of the source to the last reply: hundreds of honest calls fit
    cpu_seconds: int = 20  # the second net behind the judge's clock; whole seconds, as the kernel counts them
    memory_bytes: int = 512 * MEBIBYTE  # on top of the imported library; the largest exercise needs about 50 MB
    result_bytes: int = 16 * MEBIBYTE  # all outputs of one call; a reference output is well under 1 MB
    output_bytes: int = 64 * 1024  # kept of what is printed: some 800 lines, more than anyone reads on a page
    flood_bytes: int = 8 * MEBIBYTE  # printed in all before the guest is killed, so that it cannot keep the judge busy
    threads: int = 16  # libraries start a few; processes are refused altogether by the system call filter
    open_files: int = 64  # the interpreter needs about ten

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not value > 0:
                raise ValueError(f"{name} must be greater than 0, not {value}")

"""Warming: throw-away runs of a program of ours, which touch what a learner's program will need.

Memory that a fork shares is copied when it is first written to, a page at a time, and that is most of what a guest
costs. Runs inside the sandbox, in the zygote and in each guest. It must not know learners' programs.
"""

import os
import sys

from grader.sandbox.inside.arrays import CPU
from grader.sandbox.inside.guest import Guest, Requests, packed
from grader.sandbox.wire import ITEM_BYTES, Kind

# A program in each library that touches what most will need, so that a guest is warm before it is asked.
SOURCES = {
    "numpy": """
import math
import numpy as np
def f(x):
    scores = x @ np.swapaxes(x, -1, -2) / math.sqrt(x.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) @ x
""",
    "pytorch": """
import math
import torch
import torch.fx.experimental.symbolic_shapes  # which a backward step with a given gradient loads, for half a second
def f(x):
    scores = x @ x.transpose(-1, -2) / math.sqrt(x.shape[-1])
    scores = scores.masked_fill(torch.ones(4, 4, dtype=torch.bool).triu(1), float("-inf"))
    return torch.softmax(scores, dim=-1) @ x
""",
}

DTYPES = ("float64", "float32")


class Warmth:
    """The libraries, imported, and how warm this process is for the device that its guests compute on."""

    def __init__(self, libraries: list[str], device: str) -> None:
        self.libraries, self.device = libraries, device
        self.warm: list[str] = []
        self.place = CPU, CPU
        note = {"function": "f", "arguments": [{"array": 0}]}
        given = [("", dtype, (2, 4, 8), bytes(64 * ITEM_BYTES[dtype])) for dtype in DTYPES]
        self.calls = b"".join(packed(0, Kind.CALL, note, [array]) for array in given)
        for library in libraries:
            Guest(library, 1 << 20, CPU)  # imports it

    def at_birth(self) -> None:
        """Warm what every guest needs.

        PyTorch's memory would double what a birth costs, and a guest that is given NumPy never needs it; one that does
        copies it while the judge plans its calls. But a driver takes longer to start than anybody should wait.
        """
        for library in self.libraries if self.device != CPU else self.libraries[:1]:
            self.place_in(library)

    def place_in(self, library: str) -> tuple[str, str]:
        """Return what arrays really lie on, and the name of that, once a library is warm."""
        if library not in self.warm:
            self.place = self.run(library, self.device)
            self.warm.append(library)
        return self.place

    def run(self, library: str, device: str) -> tuple[str, str]:
        """Run the program once; return what the library's arrays really lie on, and the name of that."""
        throw_away = Guest(library, 1 << 20, device)
        throw_away.load({"filename": "warm.py"}, [("uint8", (), 0, 0, SOURCES[library].encode())])
        reader, writer = os.pipe()
        os.write(writer, self.calls)
        requests = Requests(reader)
        for _ in DTYPES:
            token, note, arrays = requests.receive()
            packed(token, *throw_away.call(note, arrays))
        os.close(reader)
        os.close(writer)
        sys.modules.pop("submission", None)
        place: tuple[str, str] = throw_away.makers[0].place()
        return place

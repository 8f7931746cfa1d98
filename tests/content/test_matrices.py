"""Every matrix that a question asks for, and every wrong one that it knows, is recomputed with NumPy.

The site has a small arithmetic of its own, written as expressions in the banks; in `matrices/`, a module for each
concept, the same is done from the definitions, with arrays, for all numbers that a question can draw.
"""

from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest

from tests.content import matrices
from tests.content.reading import questions

ASKED = {id_: question for id_, question in questions().items() if question.kind == "matrix"}
DEFINED = {
    id_: define
    for module in iter_modules(matrices.__path__, f"{matrices.__name__}.")
    for id_, define in import_module(module.name).DEFINED.items()
}


def test_every_question_for_a_matrix_is_recomputed():
    assert DEFINED.keys() == ASKED.keys()


@pytest.mark.parametrize("question_id", sorted(DEFINED))
def test_the_key_and_every_slip_are_what_numpy_gives(question_id):
    task = ASKED[question_id].task
    for parameters in task.grid():
        drawn = task.drawn(parameters)
        key, slips = DEFINED[question_id](**parameters)

        assert np.allclose(drawn.key, key)
        assert [slip.cause.id for slip in task.wrong] == list(slips)
        for cause, matrix in zip(slips, drawn.slips, strict=True):
            assert np.allclose(matrix, slips[cause]), (parameters, cause)

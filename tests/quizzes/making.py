"""Questions for tests, made the way a bank makes them: parsed from YAML against a small card."""

import textwrap
from functools import cache
from pathlib import Path

from courseware.concepts.faults import Faults
from courseware.concepts.rendered import Rendered
from courseware.concepts.sources import Fields, read_yaml
from quizzes.questions import Bloom, Cause, Grounds, Pool, Question
from quizzes.registry import kind_of

BELIEF = Cause("m03-divide-by-dk", "Dividing by the width")
OTHER_BELIEF = Cause("m03-cosine", "The score as a cosine")
SLIP = Cause("slip-arith", "A slip in the arithmetic")
GROUNDS = Grounds(
    concept_id="attention",
    sections=frozenset({"root", "weights"}),
    facts=frozenset({"F1"}),
    causes={cause.id: cause for cause in (BELIEF, OTHER_BELIEF, SLIP)},
    rendered=Rendered(None, ""),
)
# Thirty words in three sentences, and a word of its own in front, so that a leak can be told from chance.
REASON = (
    "{} is the first word of a reason. It goes on long enough to be an explanation, as every option must have one "
    "of its own. Here it ends with an example of 3 and 4."
)

SINGLE = f"""
stem: Which divisor keeps the spread at one?
options:
  - {{id: root, right: true, text: The root, why: "{REASON.format("Rootwhy")}", see: root}}
  - {{id: width, misconception: m03-divide-by-dk, text: The width, why: "{REASON.format("Widthwhy")}", see: root}}
  - {{id: none, slip: slip-arith, text: No divisor, why: "{REASON.format("Nonewhy")}", see: weights}}
"""
MULTI = f"""
stem: Choose every statement that is true.
options:
  - {{id: a, right: true, text: One, why: "{REASON.format("Awhy")}", see: root}}
  - {{id: b, right: true, misconception: m03-cosine, text: Two, why: "{REASON.format("Bwhy")}", see: root}}
  - {{id: c, right: true, text: Three, why: "{REASON.format("Cwhy")}", see: root}}
  - {{id: d, misconception: m03-divide-by-dk, text: Four, why: "{REASON.format("Dwhy")}", see: root}}
  - {{id: e, slip: slip-arith, text: Five, why: "{REASON.format("Ewhy")}", see: root}}
"""
NUMERIC = f"""
stem: What is the root of [[n]], times [[k]]?
parameters: {{n: [4, 9, 16, 25], k: [1, 2]}}
where: n + k > 5
answer: k * sqrt(n)
tolerance: {{abs: 0.01}}
unit: steps
decimals: 2
why: "{REASON.format("Rightwhy")} It is [[k * sqrt(n)]]."
see: root
wrong:
  - {{misconception: m03-divide-by-dk, value: k * n, why: "{REASON.format("Widthwhy")}", see: root}}
  - {{slip: slip-arith, value: k * n / 2 + 0.7, why: "{REASON.format("Halfwhy")}", see: weights}}
otherwise: {{why: "{REASON.format("Otherwhy")}", see: weights}}
"""
SHORT = f"""
stem: Which property says that shuffled rows give the same rows, shuffled?
accepted: [permutation equivariance, equivariant]
why: "{REASON.format("Rightwhy")}"
see: root
wrong:
  - forms: [permutation invariance, invariant]
    misconception: m03-cosine
    why: "{REASON.format("Invariantwhy")}"
    see: weights
  - {{forms: [symmetry], slip: slip-arith, why: "{REASON.format("Symmetrywhy")}", see: root}}
otherwise: {{why: "{REASON.format("Otherwhy")}", see: weights}}
"""
CODE_BUG = f"""
stem: Which line is wrong?
lines:
  - {{code: "d = K.shape[-1]", misconception: m03-cosine, why: "{REASON.format("Awhy")}", see: root}}
  - {{code: "S = Q @ K.T / d", right: true, fix: "S = Q @ K.T / np.sqrt(d)", why: "{REASON.format("Bwhy")}", see: root}}
  - {{code: "if d > 1:", why: "{REASON.format("Cwhy")}", see: weights}}
  - {{code: "    S = S - S.max()", slip: slip-arith, why: "{REASON.format("Dwhy")}", see: root}}
"""
CODE_OUT = f"""
stem: What does this print?
code: |
  import numpy as np
  S = np.array([[0.0, 0.0], [3.0, 3.0]])
  A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
  print(A.round(2))
options:
  - id: halves
    right: true
    output: |
      [[0.5 0.5]
       [0.5 0.5]]
    why: "{REASON.format("Halfwhy")}"
    see: weights
  - id: hundreds
    misconception: m03-divide-by-dk
    output: |
      [[50. 50.]
       [50. 50.]]
    change: {{from: "print(A.round(2))", to: "print(100 * A)"}}
    why: "{REASON.format("Hundredwhy")}"
    see: weights
  - id: scores
    slip: slip-arith
    output: |
      [[0. 0.]
       [3. 3.]]
    change: {{from: "print(A.round(2))", to: "print(S)"}}
    why: "{REASON.format("Scorewhy")}"
    see: root
  - id: sum
    misconception: m03-cosine
    output: |
      [[0.05 0.05]
       [0.95 0.95]]
    change: {{from: "A = np.exp(S) / np.exp(S).sum(axis=1,", to: "A = np.exp(S) / np.exp(S).sum(axis=0,"}}
    why: "{REASON.format("Sumwhy")}"
    see: root
"""
ORDER = f"""
stem: Put the steps of one attention layer in order.
steps:
  - {{id: project, text: Project the rows to queries and keys, why: "{REASON.format("Projectwhy")}", see: root}}
  - {{id: score, text: Multiply $Q$ by $K^\\top$, why: "{REASON.format("Scorewhy")}", see: root}}
  - {{id: scale, text: 'Divide by $\\sqrt{{d_k}}$', why: "{REASON.format("Scalewhy")}", see: weights}}
  - {{id: share, text: Turn each row into weights, why: "{REASON.format("Sharewhy")}", see: weights}}
  - {{id: mix, text: Mix the values with the weights, why: "{REASON.format("Mixwhy")}", see: root}}
swaps:
  - {{early: share, late: scale, misconception: m03-divide-by-dk}}
  - {{early: mix, late: share, slip: slip-arith}}
"""
MATCH = f"""
stem: Give each matrix what holds for it.
premises:
  - {{id: query, text: $W_Q$, response: fixed, why: "{REASON.format("Querywhy")}", see: root}}
  - {{id: weights, text: $A$, response: anew, why: "{REASON.format("Weightswhy")}", see: weights}}
  - {{id: mask, text: The mask, response: forbids, why: "{REASON.format("Maskwhy")}", see: root}}
  - {{id: output, text: $W_O$, response: back, why: "{REASON.format("Outputwhy")}", see: weights}}
responses:
  - {{id: fixed, text: "Learned, and the same for every text", why: "{REASON.format("Fixedwhy")}", see: root}}
  - {{id: anew, text: Computed anew for each text, slip: slip-arith, why: "{REASON.format("Anewwhy")}", see: weights}}
  - {{id: forbids, text: Forbids pairs of places, why: "{REASON.format("Forbidswhy")}", see: root}}
  - {{id: back, text: Leads back to the width $d$, why: "{REASON.format("Backwhy")}", see: root}}
  - id: stored
    text: Stored in the model for each pair of words that was met in training
    misconception: m03-cosine
    why: "{REASON.format("Storedwhy")}"
    see: weights
"""
MATRIX = f"""
stem: |
  Under a causal mask, which weights do scores of [[a]], [[b]] and [[b + 1]] give?
parameters: {{a: [1, 2], b: [0, 3]}}
where: a != b
matrices:
  S: [[a, b, 1], [0, a, "b + 1"], [b, 0, 2]]
  M: causal_mask(3)
shown: [{{name: S, rows: query, columns: key}}]
answer: softmax_rows(S + M)
rows: {{name: query}}
columns: {{name: key}}
blank: [[1, 2], [2, 1], [2, 2], [2, 3], [3, 1], [3, 3]]
decimals: 2
tolerance: {{abs: 0.006}}
why: "{REASON.format("Rightwhy")} It is [[answer_2_1|3]]."
see: root
wrong:
  - misconception: m03-divide-by-dk
    answer: keep_where(softmax_rows(S), M)
    why: "{REASON.format("Laterwhy")}"
    see: root
  - {{misconception: m03-cosine, answer: softmax_columns(S + M), why: "{REASON.format("Columnwhy")}", see: weights}}
  - {{slip: slip-arith, answer: "softmax_rows(keep_where(S, M))", why: "{REASON.format("Zerowhy")}", see: root}}
otherwise: {{why: "{REASON.format("Otherwhy")}", see: weights}}
"""
TEXTS = {
    "matrix": MATRIX,
    "code-bug": CODE_BUG,
    "code-out": CODE_OUT,
    "single": SINGLE,
    "multi": MULTI,
    "numeric": NUMERIC,
    "short": SHORT,
    "order": ORDER,
    "match": MATCH,
}


def parse(kind: str, text: str, grounds: Grounds = GROUNDS):
    """Return the task that a bank's entry gives, and its faults as texts."""
    faults = Faults()
    mapping = read_yaml(Path("bank.yaml"), faults, text=textwrap.dedent(text))
    task = kind_of(kind).parse(Fields(mapping, Path("bank.yaml"), faults), grounds)
    return task, [str(fault) for fault in faults]


@cache
def make_question(
    kind: str = "single", *, slug: str = "one", text: str = "", enemies: tuple[str, ...] = ()
) -> Question:
    text = text or TEXTS[kind]
    task, faults = parse(kind, text)
    assert not faults, faults
    mapping = read_yaml(Path("bank.yaml"), Faults(), text=text)
    return Question(
        id=f"attention/{slug}",
        concept_id="attention",
        kind=kind,
        pool=Pool.TEST,
        bloom=Bloom.APPLY,
        facts=("F1",),
        enemies=enemies,
        stem=mapping["stem"],
        task=task,
    )

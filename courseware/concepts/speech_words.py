"""The words that formulas are read with. Pure tables, no logic."""

from courseware.concepts.tex import GREEK_LETTERS

GREEK = {name: name for name in GREEK_LETTERS}
GREEK |= {"var" + name: name for name in ("epsilon", "theta", "phi", "rho", "sigma", "pi")}
GREEK |= {name.capitalize(): f"capital {name}" for name in GREEK_LETTERS}
GREEK |= {"ell": "l", "infty": "infinity", "emptyset": "the empty set", "top": "transpose", "star": "star"}
GREEK |= {"partial": "partial", "nabla": "the gradient of"}

# Functions that a bracket or a symbol after them belongs to.
_FUNCTIONS = "exp log ln sin cos tan tanh max min arg det dim Pr sup inf"
NAMES = {name: name for name in _FUNCTIONS.split()}
NAMES |= {"argmax": "arg max", "argmin": "arg min"}

WORDS = {
    "=": "equals", "+": "plus", "-": "minus", "−": "minus", "*": "times", "/": "over", "<": "is less than",
    ">": "is greater than", "|": "given", ",": ",", ";": ",", ":": "such that", "!": "factorial", ".": "point",
    r"\cdot": "dot", r"\times": "times", r"\div": "over", r"\pm": "plus or minus", r"\circ": "after",
    r"\odot": "times, entry by entry,", r"\oplus": "joined to", r"\otimes": "tensor", r"\le": "is at most",
    r"\leq": "is at most", r"\ge": "is at least", r"\geq": "is at least", r"\ne": "is not", r"\neq": "is not",
    r"\ll": "is far less than", r"\gg": "is far greater than", r"\approx": "is about", r"\sim": "follows",
    r"\propto": "is proportional to", r"\equiv": "is identical to", r"\in": "in", r"\notin": "not in",
    r"\subset": "inside", r"\subseteq": "inside", r"\cup": "together with", r"\cap": "and also",
    r"\to": "goes to", r"\rightarrow": "goes to", r"\longrightarrow": "becomes", r"\mapsto": "maps to",
    r"\Rightarrow": "so", r"\implies": "so", r"\iff": "exactly when", r"\leftarrow": "takes", r"\mid": "given",
    r"\quad": ",", r"\qquad": ",", r"\\": ",",
    r"\ldots": ", and so on,", r"\cdots": ", and so on,", r"\dots": ", and so on,", r"\vdots": "and so on",
    r"\forall": "for every", r"\exists": "there is", r"\|": "norm",
    r"\colon": "such that", r"\coloneqq": "is defined as", r"\%": "per cent", r"\#": "number", r"\&": "and",
    r"\$": "dollars", r"\_": "underscore",
}  # fmt: skip

SUMS = {"sum": "the sum", "prod": "the product", "int": "the integral", "bigcup": "the union"}

SETS = {"R": "the reals", "N": "the natural numbers", "Z": "the whole numbers"}
EXPECTATIONS = {"E": "the mean", "P": "the probability"}

# A bracket right after one of these letters holds what the function is applied to; after others it is a factor.
FUNCTION_LETTERS = frozenset({*"fgpFOP", "capital theta"})

# What links a name with the letters below it; other names have an index, which follows without a word.
BOUND = dict.fromkeys(("max", "min", "arg max", "arg min", "argmax", "argmin", "sup", "inf", "softmax"), "over")
BOUND |= {"the mean": "over", "the probability": "over", "log": "base"}

# Bold and script letters look different and must sound different.
FONTS = {"mathbf": "bold", "boldsymbol": "bold", "bm": "bold", "mathcal": "script", "mathscr": "script",
         "mathfrak": "Gothic"}  # fmt: skip

ACCENTS = {"hat": "hat", "widehat": "hat", "bar": "bar", "overline": "bar", "tilde": "tilde", "vec": "vector",
           "dot": "dot", "ddot": "double dot", "underline": "underlined"}  # fmt: skip

# Spacing, sizes and styles are seen, not said.
_UNSAID = (
    "right bigl bigr Bigl Bigr biggl biggr big Big bigg Bigg middle displaystyle textstyle scriptstyle limits "
    "nolimits nonumber hline , ; : ! > thinspace enspace strut phantom"
)
SILENT = frozenset(_UNSAID.split()) | {" ", "", "~"}

"""What a function returned in place of an array or a tensor, in words that say what to try.

The name of a type is what the guest says, so it is cut and shown, and never believed.
"""

from grader.sandbox.replies import WrongType

SHOWN_CHARACTERS = 60  # of the name of a type

_NONE = "None: does every path end in a return?"
_UNCALLED = "is a pair of brackets missing behind its name?"
_PLAIN = "np.asarray makes a plain array of it"
_MAKERS = {"array": "np.array makes an array of it", "tensor": "torch.stack or torch.tensor makes a tensor of it"}
_WORDS = {
    "NoneType": _NONE,
    "generator": "a generator, which a yield or round brackets make: put its rows together and return that",
    "coroutine": "a coroutine, which async def makes: leave async out",
    "function": f"a function: {_UNCALLED}",
    "method": f"a method: {_UNCALLED}",
    "builtin_function_or_method": f"a function: {_UNCALLED}",
    "type": f"a class: {_UNCALLED}",
}
_ADVICE = {
    "MaskedArray": "filled makes a plain array of it",
    "matrix": _PLAIN,
    "memmap": _PLAIN,
    "Parameter": "detach makes a plain tensor of it",
}


def result_in_words(reply: WrongType, wanted: str) -> str:
    """Return what came instead of the one array or tensor that was wanted."""
    name = reply.type_name[:SHOWN_CHARACTERS]
    kind = name.split(" ", maxsplit=1)[0]
    if reply.position is not None:
        return f"a tuple whose item {reply.position} is {'None' if kind == 'NoneType' else _with_article(name)}"
    if kind in _WORDS:
        return _WORDS[kind]
    advice = _MAKERS[wanted] if kind == "list" else _ADVICE.get(kind, "")
    return f"{_with_article(name)}: {advice}" if advice else _with_article(name)


def tuple_in_words(count: int) -> str:
    """Return what a tuple is called that came instead of one array."""
    if count == 1:
        return "a tuple of one value: is there a comma behind it?"
    return f"a tuple of {count} values"


def _with_article(name: str) -> str:
    # "ndarray of object" is NumPy's name for an array of what are no numbers.
    name = name.replace("ndarray of object", "array of Python objects").replace("ndarray of", "array of")
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"

"""What a program may be before it is stored: a text of bounded length that Python could read. Pure."""

SOURCE_BYTES = 64 * 1024  # a long solution of any exercise has under 10,000


class Refused(Exception):
    """A learner's request cannot be carried out; the sentence says why and what to try."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


def storable_source(text: str) -> str:
    """Return the text with line ends as Python counts them, so that line numbers agree everywhere.

    Errors:  Refused if it is too long or holds a null character
    """
    # Some editors begin a text with a mark of its byte order, which Python takes for a character of the program.
    source = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in source:
        raise Refused("The code holds a null character, which no Python source may hold. Delete it and try again.")
    size = len(source.encode("utf-8", errors="replace"))
    if size > SOURCE_BYTES:
        raise Refused(
            f"The code has {size:,} bytes and may have {SOURCE_BYTES:,}. Take out what the function does not use."
        )
    return source


def gradable_source(text: str) -> str:
    """Return the text as `storable_source` does.

    Errors:  Refused also if there is nothing in it
    """
    source = storable_source(text)
    if not source.strip():
        raise Refused("There is no code yet. Write the function, then send it.")
    return source

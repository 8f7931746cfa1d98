"""A text type that says: this is finished HTML, safe to put on a page.

Pure. Templates honour `__html__`, so no template has to vouch for a value by a filter. Whatever is done to such a
text (joining, slicing, formatting) gives an ordinary text again, which a template then escapes.
"""


class SafeHtml(str):
    """HTML that our own code made and cleaned; never built from what a person typed in a request."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)

"""Rendered texts kept in a folder between starts, one small file for each source file and converter version.

Pure: the folder is given. A file that is missing, damaged or of another version costs time and nothing else.
"""

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from courseware.concepts import markup
from courseware.drawing.safe_html import SafeHtml


class Rendered:
    """Renders the texts of one source file, from the folder where they lie there already."""

    def __init__(self, folder: Path | None, source: str) -> None:
        digest = sha256(f"{_converter()}\n{source}".encode()).hexdigest()
        self._file = folder / f"{digest[:32]}.json" if folder else None
        self._kept = _read(self._file) if self._file else {}
        self._is_new = False

    def block(self, text: str) -> SafeHtml:
        return self._html("block", text, markup.render_block)

    def inline(self, text: str) -> SafeHtml:
        return self._html("inline", text, markup.render_inline)

    def check(self, text: str, *, inline: bool = False) -> None:
        """Raise MarkupError where rendering the text would, at the cost of a search where it lies there already."""
        if markup.may_be_at_fault(text):
            self.inline(text) if inline else self.block(text)

    def keep(self) -> None:
        """Write what was rendered, if anything was; a folder that cannot be written is no fault of the course."""
        if not self._is_new or self._file is None:
            return
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.parent.chmod(0o700)  # what lies here is put on pages unescaped
            handle, name = tempfile.mkstemp(dir=self._file.parent, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as part:
                json.dump(self._kept, part, ensure_ascii=False)
            Path(name).replace(self._file)

    def _html(self, form: str, text: str, render: Callable[[str], SafeHtml]) -> SafeHtml:
        key = f"{form} {text}"
        if key not in self._kept:
            self._kept[key] = render(text)
            self._is_new = True
        return SafeHtml(self._kept[key])


def _read(file: Path) -> dict[str, str]:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    is_whole = isinstance(kept, dict) and all(isinstance(html, str) for html in kept.values())
    return kept if is_whole else {}


@lru_cache(maxsize=1)
def _converter() -> str:
    packages = ("math-core", "markdown-it-py", "mdit-py-plugins", "nh3", "Pygments")
    return f"{markup.VERSION} " + " ".join(f"{name}=={version(name)}" for name in packages)

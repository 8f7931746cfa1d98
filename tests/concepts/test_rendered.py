"""What was rendered is kept between starts; a kept file that is damaged or out of date costs time and nothing else."""

import json
import re
import stat

import pytest

from courseware.concepts import rendered
from courseware.concepts.markup import MarkupError, render_block
from courseware.concepts.rendered import Rendered


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "var" / "rendered"


def keep(folder, source="source", text="a *b*"):
    page = Rendered(folder, source)
    html = page.block(text)
    page.keep()
    return html


def test_second_start_takes_what_the_first_kept(folder):
    keep(folder)
    (file,) = folder.iterdir()
    file.write_text(json.dumps({"block a *b*": "kept"}), encoding="utf-8")

    assert keep(folder) == "kept"


def test_another_source_has_another_file(folder):
    keep(folder)
    keep(folder, source="changed")

    assert len(list(folder.iterdir())) == 2


def test_another_converter_has_another_file(folder, monkeypatch):
    keep(folder)
    monkeypatch.setattr(rendered, "_converter", lambda: "2 math-core==99")
    keep(folder)

    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"block a *b*": 1}', b"\xff\xfe"])
def test_damaged_file_is_ignored_and_written_anew(folder, damage):
    keep(folder)
    (file,) = folder.iterdir()
    file.write_bytes(damage)

    assert keep(folder) == render_block("a *b*")
    assert json.loads(file.read_text(encoding="utf-8")) == {"block a *b*": render_block("a *b*")}


def test_folder_is_private_and_holds_no_half_written_file(folder):
    keep(folder)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [file.suffix for file in folder.iterdir()] == [".json"]


def test_folder_that_was_open_to_others_is_closed(folder):
    folder.mkdir(parents=True)
    folder.chmod(0o777)

    keep(folder)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_folder_that_cannot_be_written_does_not_stop_the_start(tmp_path):
    (tmp_path / "taken").write_text("a file", encoding="utf-8")

    assert keep(tmp_path / "taken") == render_block("a *b*")


def test_without_a_folder_nothing_is_kept():
    assert keep(None) == render_block("a *b*")


def test_block_and_line_of_one_text_are_kept_apart(folder):
    page = Rendered(folder, "source")

    assert page.block("a") == "<p>a</p>"
    assert page.inline("a") == "a"


@pytest.mark.parametrize(
    "source",
    [
        "A $\\nope$.",
        "A \\frac{1}{2}.",
        "![a](b)",
        "[a](javascript:x)",
        "# Title",
        "Title\n==",
        "```nope\nx\n```",
        "~~~nope\nx\n~~~",
        "a\u202eb",
    ],
)
def test_a_check_finds_whatever_rendering_would(source):
    with pytest.raises(MarkupError) as rendered:
        render_block(source)

    with pytest.raises(MarkupError, match=re.escape(str(rendered.value))):
        Rendered(None, source).check(source)


def test_a_check_does_not_render_what_was_in_order_at_the_last_start(folder):
    first = Rendered(folder, "source")
    first.check("A root $\\sqrt{2}$ and `code`")
    first.keep()
    (file,) = folder.iterdir()
    (kept,) = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({kept.replace("2", "\\nope"): ""}), encoding="utf-8")

    Rendered(folder, "source").check("A root $\\sqrt{\\nope}$ and `code`")

"""Static files are collected when they changed, and only then."""

import pytest

from courseware import static_files


@pytest.fixture
def source(settings, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "sheet.css").write_text("body { color: black }")
    settings.STATIC_ROOT = tmp_path / "served"
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    return source


def test_second_start_collects_nothing(source):
    assert static_files.collect()

    assert not static_files.collect()


def test_changed_file_is_collected(source, settings):
    static_files.collect()
    (source / "sheet.css").write_text("body { color: white }  ")

    assert static_files.collect()

    assert "white" in (settings.STATIC_ROOT / "sheet.css").read_text()


def test_collection_that_was_cut_short_is_done_again(source, settings):
    static_files.collect()
    (settings.STATIC_ROOT / "collected").unlink()

    assert static_files.collect()

"""What a judge says of itself."""

from grader.sandbox.nursery import present_libraries


def test_library_whose_installation_was_cut_short_is_not_there(tmp_path, monkeypatch):
    """A judge may start while its libraries are still being installed, and must not be sent what it cannot judge."""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("")
    metadata = tmp_path / "torch-2.13.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert present_libraries() == ("numpy",)

    (metadata / "RECORD").write_text("torch/__init__.py,,\n")

    assert present_libraries() == ("numpy", "pytorch")

"""The vendored files are the ones whose source, licence and checksum are written beside them."""

import hashlib
from pathlib import Path

VENDOR = Path(__file__).parents[2] / "courseware" / "static" / "vendor"


def _sums() -> dict[str, str]:
    lines = (VENDOR / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def test_every_vendored_file_has_its_recorded_checksum() -> None:
    files = {path.name for path in VENDOR.iterdir()} - {"README.md", "SHA256SUMS"}

    actual = {name: hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() for name in files}

    assert actual == _sums()


def test_the_readme_names_each_checksum() -> None:
    readme = (VENDOR / "README.md").read_text()

    assert [name for name, digest in _sums().items() if f"`{digest}`" not in readme] == []


def test_the_font_is_compressed_and_small_enough_to_load_with_a_page() -> None:
    font = (VENDOR / "stix-two-math.woff2").read_bytes()

    assert font[:4] == b"wOF2"
    assert len(font) < 400_000

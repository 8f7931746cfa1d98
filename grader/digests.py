"""The digest of a folder, by which site and judge see whether they hold the same exercise. Pure."""

import hashlib
from pathlib import Path


def folder_digest(folder: Path) -> str:
    """Return the SHA-256 of a folder's files and their names; compiled Python and hidden files do not count."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in relative.parts):
            content = path.read_bytes()
            digest.update(f"{relative.as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()

"""A file that somebody uploads, looks at, and then confirms: it travels with the second form and is never kept."""

import base64
import binascii
from typing import Any

from django import forms

from courseware.results.sheets import LARGEST_FILE

_TOO_LARGE = f"The file is larger than {LARGEST_FILE // 1000} kB."


class UploadForm(forms.Form):
    """A new file, or the one that the page before was about."""

    file = forms.FileField(required=False, max_length=255, allow_empty_file=False)
    content = forms.CharField(required=False, max_length=2 * LARGEST_FILE, widget=forms.HiddenInput, strip=False)
    name = forms.CharField(required=False, max_length=255, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        if cleaned.get("file"):
            if cleaned["file"].size > LARGEST_FILE:
                raise forms.ValidationError(_TOO_LARGE)
            cleaned |= {"bytes": cleaned["file"].read(), "name": cleaned["file"].name}
        else:
            try:
                cleaned["bytes"] = base64.b64decode(cleaned.get("content", ""), validate=True)
            except (binascii.Error, ValueError):
                raise forms.ValidationError("Choose the file once more.") from None
        if not cleaned["bytes"]:
            raise forms.ValidationError("Choose a file.")
        return cleaned


def carried(content: bytes) -> str:
    """Return a file as the hidden field of the next form holds it."""
    return base64.b64encode(content).decode()

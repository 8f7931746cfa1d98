"""How static files are named: by their content, so that browsers may keep them for ever."""

from functools import cached_property

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise ships no types
    """Whitenoise's storage, which also renames what ES modules import from each other."""

    support_js_module_import_aggregation = True

    def url(self, name: str | None, force: bool = False) -> str:
        """Return the address of a file, found once in a process: a page names up to a dozen, and they cannot change."""
        if settings.DEBUG or force or name is None:
            return str(super().url(name, force))
        if name not in self._urls:
            self._urls[name] = str(super().url(name))
        return self._urls[name]

    @cached_property
    def _urls(self) -> dict[str, str]:
        return {}

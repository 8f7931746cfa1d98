"""How static files are named: by their content, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise ships no types
    """Whitenoise's storage, which also renames what ES modules import from each other."""

    support_js_module_import_aggregation = True

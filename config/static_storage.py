"""How static files are stored: compressed, under hashed names, with each module importing its others by theirs."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, which also writes hashed names into the imports of modules: browsers keep those for ever, too."""

    support_js_module_import_aggregation = True

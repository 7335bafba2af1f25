"""The JSON output of the program: finite, stable, a single object."""

from __future__ import annotations

import json
from collections.abc import Mapping

from gamedsl.game.encoding import SCHEMA_VERSION


def json_text(data: Mapping[str, object]) -> str:
    """The data with the schema version in front. ValueError for non-finite numbers."""
    return json.dumps({"schema_version": SCHEMA_VERSION, **data}, indent=2, allow_nan=False)

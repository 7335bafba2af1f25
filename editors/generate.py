"""Write the TextMate grammar of the extension: `python editors/generate.py`.

It is made of the words of the language, so that no editor has a list of its own; a test fails where
the file is not what this writes.
"""

from __future__ import annotations

import json
from pathlib import Path

from gamedsl.services.colours import rules

GRAMMAR = Path(__file__).parent / "vscode" / "syntaxes" / "gamedsl.tmLanguage.json"


def grammar() -> str:
    """The grammar as it is written."""
    patterns = [{"name": f"{colour}.gamedsl", "match": match} for colour, match in rules()]
    whole = {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "gamedsl",
        "scopeName": "source.gamedsl",
        "fileTypes": ["game"],
        "patterns": patterns,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    GRAMMAR.write_text(grammar(), encoding="utf-8")

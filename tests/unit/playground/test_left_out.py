"""The page's Python leaves out parts of the standard library: none that the library imports."""

from __future__ import annotations

import re
from pathlib import Path

import lark
import platformdirs

ROOT = Path(__file__).resolve().parents[3]
IMPORTED = re.compile(r"^\s*(?:import|from)\s+([\w.]+)", re.MULTILINE)
WITHOUT = ("cli", "server")
"""Folders of gamedsl that the page leaves out."""


def test_the_page_has_the_modules_and_encodings_that_the_library_names() -> None:
    script = (ROOT / "web" / "compile.mjs").read_text("utf-8")
    unused = set(re.findall(r"const UNUSED =[^`]*`([^`]*)`", script)[0].split())
    encodings = set(re.findall(r'const ENCODINGS = "([^"]*)"', script)[0].split())
    folders = [ROOT / "gamedsl", *(Path(str(one.__file__)).parent for one in (lark, platformdirs))]
    assert {"pdb", "unittest"} <= unused
    for folder in folders:
        for path in folder.rglob("*.py"):
            if folder == ROOT / "gamedsl" and path.relative_to(folder).parts[0] in WITHOUT:
                continue
            text = path.read_text("utf-8")
            tops = {name.partition(".")[0] for name in IMPORTED.findall(text)}
            assert not tops & unused, path
            named = re.findall(r"(?:en|de)cod(?:e\(|ing=)\s*[\"']([\w-]+)[\"']", text)
            known = {"utf8": "utf_8"}
            used = {known.get(name, name.replace("-", "_").lower()) for name in named}
            assert used <= encodings, path

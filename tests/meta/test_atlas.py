"""The atlas of solved games: its page is that of its data, and it agrees with what is published."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.atlas import gdl
from benchmarks.atlas.pages import page
from gamedsl.game import shipped_games

ATLAS = Path(__file__).resolve().parents[2] / "docs" / "atlas"


def test_the_page_is_that_of_the_data() -> None:
    text = (ATLAS / "atlas.json").read_text("utf-8")
    rows = json.loads(text)
    assert page(rows) == (ATLAS / "README.md").read_text("utf-8")
    assert json.dumps(rows, indent=1, sort_keys=True, ensure_ascii=False) + "\n" == text


def test_the_page_of_games_in_gdl_is_that_of_its_data() -> None:
    kept = json.loads(gdl.DATA.read_text("utf-8"))
    assert gdl.page(kept["rows"], kept["seconds"]) == gdl.PAGE.read_text("utf-8")


def test_rows_are_of_shipped_games_and_no_claim_differs() -> None:
    rows = json.loads((ATLAS / "atlas.json").read_text("utf-8"))
    assert {row["game"] for row in rows.values()} <= {path.stem for path in shipped_games()}
    assert not [key for key, row in rows.items() for c in row["claims"] if c["agrees"] is False]

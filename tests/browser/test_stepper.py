"""The page of a search in a real browser: it steps forwards and backwards without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gamedsl
from gamedsl.reports.trees.as_html import tree_html

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def figure(page: Page, tmp_path: Path) -> Page:
    """Figure 5.2, searched by alpha-beta, before the first step."""
    file = tmp_path / "tree.html"
    file.write_text(tree_html(gamedsl.tree("aima_fig_5_2", algorithm="alpha-beta")), "utf-8")
    page.goto(file.as_uri())
    return page


def _shown(page: Page) -> tuple[str, ...]:
    """What the page says: the event, alpha, beta, the value of the root, the step."""
    places = ("#event", "#alpha", "#beta", "#n0 .value", "#step")
    return tuple(page.locator(place).text_content() or "" for place in places)


def test_the_page_steps_to_the_first_cut_and_back(figure: Page) -> None:
    start = _shown(figure)
    assert start == ("Before the search.", "-∞", "+∞", "", "0 of 29")
    while not _shown(figure)[0].startswith("Cut"):
        figure.locator("#forward").click()
    cut = _shown(figure)
    assert cut[0] == "Cut after a2: the value is ≤2 with α=3, β=+∞, so c2, c3 cannot matter."
    assert cut[1:4] == ("3", "+∞", "≥3")
    strikes = [figure.locator(f"#{edge} .strike") for edge in ("e7", "e8", "e9")]
    assert [strike.get_attribute("visibility") for strike in strikes] == [
        "hidden", "visible", "visible",
    ]  # fmt: skip
    figure.locator("#back").click()
    back = _shown(figure)
    assert back[0] == "MIN after a2: the value is now ≤2, by c1."
    figure.keyboard.press("ArrowRight")
    assert _shown(figure) == cut
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight"):
        figure.keyboard.press(key)
    assert _shown(figure) == back
    figure.keyboard.press("End")
    assert _shown(figure)[3] == "3"
    figure.keyboard.press("Home")
    assert _shown(figure) == start

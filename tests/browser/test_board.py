"""The board of notebooks in a real browser: clicks on squares and moves, with Python behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import gamedsl
from gamedsl.python.boards import SCRIPT, Seating, hear

if TYPE_CHECKING:
    from playwright.sync_api import Page

MODEL = """
const { default: { render } } = await import(URL.createObjectURL(
  new Blob([SCRIPT], { type: "text/javascript" })));
let shown = JSON.parse(await window.told("{}"));
const listeners = [];
const model = {
  get: () => shown,
  on: (_, listener) => listeners.push(listener),
  off: () => {},
  send: async (message) => {
    shown = JSON.parse(await window.told(JSON.stringify(message)));
    listeners.forEach((listener) => listener());
  },
};
render({ model, el: document.body });
"""


def opened(page: Page, seating: Seating) -> Page:
    """The board on an empty page."""

    def told(message: str) -> str:
        hear(seating, json.loads(message))
        return json.dumps(seating.shown())

    page.expose_function("told", told)
    script = MODEL.replace("SCRIPT", json.dumps(SCRIPT.read_text("utf-8")))
    page.set_content("<body></body>")
    page.add_script_tag(content=script, type="module")
    page.locator(".gamedsl-board").wait_for()
    return page


def test_a_game_is_played_by_clicks_on_squares(page: Page) -> None:
    first = gamedsl.load("tic_tac_toe")
    seating = Seating(first, {1: lambda view: view.action_names[0]}, "", 0)
    board = opened(page, seating)
    for square in ("b2", "c3", "c2"):
        board.locator(f'[data-place="{square}"]').click()
        board.locator(f'.square[data-place="{square}"]').wait_for(state="detached")
    assert str(seating.play) == "mark(b2) mark(a1) mark(c3) mark(b1) mark(c2) mark(c1)"
    assert board.locator(".tools span").text_content() == "game over"
    board.get_by_text("undo").click()
    board.locator('.square[data-place="c2"]').wait_for()
    assert len(seating.steps) == 4
    board.get_by_text("restart").click()
    board.locator('.square[data-place="b2"]').wait_for()
    assert seating.steps == []


def test_a_move_of_two_squares_is_clicked_in_order(page: Page) -> None:
    seating = Seating(gamedsl.load("chess"), {}, "", 0)
    board = opened(page, seating)
    for square in ("e2", "g1", "f3"):  # another man first
        board.locator(f'[data-place="{square}"]').click()
    board.get_by_text("Black to choose").wait_for()
    assert seating.play.names == ("go(g1, f3)",)
    board.locator(".moves button").get_by_text("e7-e5").click()
    board.get_by_text("White to choose").wait_for()
    assert len(seating.steps) == 2

"""The playground in a real browser: written, mended, played, solved and shared, without a network.

The page is tested as it is built (`python web/build.py`); without a build the tests are skipped.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gamedsl
from gamedsl.game.library import shipped_game
from tests.doors.found_by_play import TEXTS

from .conftest import PATIENCE, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route


@pytest.fixture
def fresh(address: str, page: Page) -> Page:
    """The page with its first game, for a test of what a visit leaves behind."""
    page.goto(address)
    page.locator("body[data-ready]").wait_for()
    choose(page, "tic_tac_toe")
    return page


AS_OPENED = """() => {
  for (const box of document.querySelectorAll("dialog[open]")) box.close();
  const search = document.getElementById("search");
  search.value = "";
  search.dispatchEvent(new Event("input"));
}"""
"""Closes what a test has left open above the page, and forgets what it searched."""


@pytest.fixture(scope="module")
def visits() -> Iterator[list[Watched]]:
    """The page that the tests use one after the other, so that Python starts once."""
    opened: list[Watched] = []
    yield opened
    for watched in opened:
        watched.page.context.close()


@pytest.fixture
def playground(address: str, browser: Browser, visits: list[Watched]) -> Iterator[Page]:
    """The page with its first game. Whatever it asks another address for fails the test."""
    if not visits or visits[-1].page.is_closed():
        visits.append(Watched(browser))
        visits[-1].page.goto(address)
    watched = visits[-1]
    page = watched.page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")
    page.locator("body[data-ready]").wait_for()
    page.evaluate(AS_OPENED)
    for name in ("nim", "tic_tac_toe"):  # players and moves of the test before are gone
        choose(page, name)
        page.locator("#title", has_text=gamedsl.load(name).name).wait_for()
    page.locator("#values").uncheck()
    page.locator("#tab-play").click()
    yield page
    assert not watched.errors, "\n".join(watched.errors)
    assert watched.asked
    assert not [url for url in watched.asked if not url.startswith((address, "data:", "blob:"))]


def choose(page: Page, name: str) -> None:
    """Open a game from the gallery, by its picture."""
    tile = page.locator(f".tile[data-game={name}]")
    tile.wait_for(state="attached")
    for _ in range(2):  # the page may open the gallery in the same moment: then the click closes it
        if not page.locator("#gallery").is_visible():
            page.locator("#games").click()
    tile.click()
    page.locator("#gallery").wait_for(state="hidden")


def write(page: Page, text: str) -> None:
    """Put other rules into the editor, as if they were pasted."""
    page.locator("#tab-rules").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def rules(page: Page) -> str:
    """What the editor holds, which is loaded when it is looked at."""
    page.locator("#tab-rules").click()
    page.locator(".cm-content").wait_for()
    return "\n".join(page.locator(".cm-line").all_text_contents())


def tictactoe() -> str:
    path = shipped_game("tic_tac_toe")
    assert path is not None
    return path.read_text("utf-8").partition("\nexpect")[0]


def play_well(page: Page) -> None:
    """Mark a square by a click, one that does not lose, and wait for the answer to it."""
    game = gamedsl.load("tic_tac_toe")
    page.locator("#tab-play").click()
    moves = [text.partition(" ")[2] for text in page.locator("#log li").all_text_contents()]
    best = gamedsl.solve(game, game.position(" ".join(moves))).best[0]
    page.locator(f".square[aria-label='{best}']").click()
    page.locator(f"#log li:nth-child({min(len(moves) + 2, 9)})").wait_for()
    page.locator("#standing", has_text=re.compile("X to move|Game over")).wait_for()


def test_the_first_ten_minutes(playground: Page) -> None:
    page = playground
    expect = pytest.importorskip("playwright.sync_api").expect
    assert page.locator("#title").text_content() == "Tic-tac-toe"
    for place in (
        "#work",
        "#params",
        "#stale",
        "#tab-matrix",
        "#panel-tree",
        "#cutoff-box",
        "#gallery",
    ):
        expect(page.locator(place)).to_be_hidden()
    write(page, tictactoe().replace("require cell", "require cel"))
    finding = page.locator("#findings li.error")
    expect(finding).to_be_visible()
    expect(page.locator("#stale")).to_be_visible()
    assert "did you mean `cell`?" in (finding.text_content() or "")
    finding.get_by_role("button", name="why?").click()
    page.locator("#rule[open] h1").wait_for()
    page.locator("#close-rule").click()
    expect(page.locator("#rule")).to_be_hidden()
    page.locator("#findings .fix").first.click()
    page.locator("#verdict.right").wait_for()
    assert "require cell[s] == empty" in rules(page)
    write(page, tictactoe().replace("3 wide 3 high", "4 wide 4 high"))
    page.locator(".square[data-square=d4]").wait_for()
    expect(page.locator("#title")).to_have_text("Tic-tac-toe (changed)")
    page.locator("#saying summary").click()
    page.locator("#say").fill("castling")
    page.locator("#patterns button", has_text="Copy these rules").first.click()
    expect(
        page.locator("#patterns button", has_text=re.compile("Cop(ied|y from)")).first
    ).to_be_visible()
    page.locator("#tab-solve").click()
    page.locator("#solve").click()
    page.locator("#solve-answer .headline").wait_for()
    assert page.locator("#solve-answer .headline").text_content() == "X wins"
    assert "b2" in (page.locator("#solve-answer pre").text_content() or "")
    page.locator("#tab-explain").click()
    page.locator("#explain").click()
    page.locator("#explain-answer h4", has_text="TERMINAL-TEST").wait_for()


def test_the_first_move_needs_no_python_and_later_ones_wait_for_it(
    address: str, page: Page
) -> None:
    held: list[Route] = []
    page.route("**/library.zip", lambda route: held.append(route))
    page.goto(address)
    choose(page, "tic_tac_toe")
    page.locator(".square[data-square=b2]").click()
    page.locator("#log li", has_text="X b2").wait_for()
    assert page.locator("#standing").text_content() == "O to move"
    assert page.locator(".tile").count() > 50
    assert page.locator("#state").text_content() == "Python is being started…"
    for square in ("a1", "a1", "c3"):  # it cannot be marked twice
        page.locator(f".square[data-square={square}]").click()
    page.locator("#standing", has_text="your moves are kept").wait_for()
    assert page.locator(".square.waiting").count() == 2
    for route in held:
        route.continue_()
    page.locator("#log li:nth-child(3)").wait_for()
    assert page.locator("#log li").all_text_contents() == ["X b2", "O a1", "X c3"]
    page.unroute_all(behavior="ignoreErrors")


def test_a_page_that_cannot_start_python_says_so(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.route("**/library.zip", lambda route: route.fulfill(status=500))
    page.goto(address)
    page.locator("#state", has_text="This page cannot start Python: library.zip: 500").wait_for()
    page.close()


def test_rules_of_ones_own_are_on_the_board_at_once(fresh: Page) -> None:
    page = fresh
    write(page, tictactoe().replace("Tic-tac-toe", "Noughts").replace("3 wide", "4 wide"))
    page.locator("#title", has_text="Noughts").wait_for()
    page.route("**/library.zip", lambda _: None)
    page.reload()
    page.locator(".square[data-square=d3]").wait_for()
    assert page.locator("#title").text_content() == "Noughts"
    assert page.locator("#verdict").text_content() == "no mistakes in the text"
    assert page.locator("#looked").text_content().startswith("The rules will be played")
    page.unroute_all(behavior="ignoreErrors")


def test_a_draw_against_the_solution_by_clicks_and_a_link_to_it(
    playground: Page, browser: Browser, address: str
) -> None:
    page = playground
    page.locator("#tab-play").click()
    page.locator("select[data-player='1']").select_option("best")
    for _ in range(5):
        play_well(page)
    assert page.locator("#standing").text_content() == "Game over: draw"
    write(page, tictactoe().replace("Tic-tac-toe", "Noughts \U0001f3b2 and crosses"))
    page.locator("#title", has_text="Noughts").wait_for()
    text = rules(page)
    page.locator("#share").click()
    page.locator("#share-box[open]").wait_for()
    link = page.locator("#link").input_value()
    assert link.startswith(f"{address}#rules=")
    packed = urlsafe_b64decode(link.partition("=")[2] + "==")
    assert zlib.decompress(packed, wbits=-15).decode() == text
    fresh = browser.new_context()
    opened = fresh.new_page()
    opened.goto(link)
    opened.locator("#title", has_text="Noughts \U0001f3b2 and crosses").wait_for(timeout=PATIENCE)
    without_a_network(fresh, opened)
    fresh.close()


def without_a_network(context: BrowserContext, page: Page) -> None:
    """Once all is kept, the page opens again, and answers, without anybody to ask."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    page.reload()
    page.locator("body[data-ready]").wait_for(timeout=PATIENCE)
    page.locator(".square").first.click()
    page.locator("#log li").first.wait_for(timeout=PATIENCE)


def test_everybody_can_use_it(playground: Page) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = playground
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        page.locator("#games").click()
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        page.locator("#games").click()
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#games").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    choose(page, "prisoners_dilemma")
    page.locator("#tab-matrix").click()
    page.locator("#matrix").click()
    page.locator("#matrix-answer table").first.wait_for()
    assert page.locator("#matrix-answer .equilibrium").text_content() == "1, 1"
    for tab in ("play", "rules", "solve", "explain", "tree", "matrix"):
        page.locator(f"#tab-{tab}").click()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()


def test_a_parameter_is_set_a_pit_is_sown_and_a_mistake_mended_by_the_keyboard(
    playground: Page,
) -> None:
    page = playground
    choose(page, "kalah")
    page.locator("#tab-play").click()
    page.locator("#title", has_text="Kalah").wait_for()
    page.locator("#params input[name=pits]").fill("3")
    page.keyboard.press("Enter")
    page.locator("#moves button").nth(3).wait_for(state="detached")
    assert "param pits = 3" in rules(page)
    page.locator("#tab-play").click()
    page.locator(".square[data-square='hole 0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator("#log li", has_text="South sow(1)").wait_for()
    write(page, tictactoe().replace("require cell", "require cel"))
    page.locator("#findings li.error .fix").wait_for()
    page.keyboard.press("F8")
    page.keyboard.press("Control+.")
    page.locator("#fixes[open] button").first.wait_for()
    page.keyboard.press("Enter")
    page.locator("#verdict.right").wait_for()
    assert "require cell[s] == empty" in rules(page)


def test_a_click_beside_the_squares_plays_only_where_a_move_is_a_column(playground: Page) -> None:
    page = playground
    for ply, square in enumerate(("b2", "b1", "a1", "c3", "c1", "a3", "b3"), 1):
        page.locator(f".square[data-square={square}]").click()
        page.locator(f"#log li:nth-child({ply})").wait_for(state="attached")

    def click(right: float, down: float) -> None:
        squares = page.locator("#squares")
        box = squares.bounding_box()
        assert box is not None
        squares.click(position={"x": right * box["width"], "y": down * box["height"]})

    click(5 / 6, 1 / 6)  # c3 is taken, c2 is not
    page.locator(".square[data-square=a2]").click()
    page.locator("#log li:nth-child(8)", has_text="O a2").wait_for(state="attached")
    choose(page, "connect_four")
    page.locator("#title", has_text="Connect four").wait_for()
    page.locator(".square[data-square=d1]").wait_for()
    click(1 / 2, 1 / 2)
    page.locator("#log li").first.wait_for(state="attached")
    assert page.locator("#log li").all_text_contents() == ["Red d1"]


def test_a_search_is_stepped_to_its_first_cut_and_a_long_one_stopped(playground: Page) -> None:
    page = playground
    choose(page, "aima_fig_5_2")
    page.locator("#title", has_text="AIMA").wait_for()
    page.locator("#values").check()
    page.locator(".move.best[aria-label^=a1]").wait_for()
    bar = page.locator("#bar").evaluate("bar => getComputedStyle(bar).backgroundImage")
    assert "rgb(47, 111, 179)" in bar
    page.locator("#tab-tree").click()
    page.evaluate("for (const name of ['solve', 'grow']) document.getElementById(name).click()")
    tree = page.frame_locator("iframe.tree")
    tree.locator("#cut").click()
    page.locator("#solve-answer .headline").wait_for(state="attached")  # both are answered
    assert "c2, c3 cannot matter" in (tree.locator("#event").text_content() or "")
    place = tree.locator("#tree svg").bounding_box()
    assert place
    assert place["y"] + place["height"] < 800  # all of the tree is seen, and the cut above it
    choose(page, "connect_four")
    page.locator("#title", has_text="Connect four").wait_for()
    page.locator("#values").uncheck()
    page.locator("#tab-solve").click()
    page.locator("#solve").click()
    sync = pytest.importorskip("playwright.sync_api")
    sync.expect(page.locator("#work")).to_be_visible()
    found = pytest.importorskip("axe_playwright_python.sync_playwright").Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.locator(".square").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator("#log li").first.wait_for(state="attached")
    page.locator("#stop").click()
    page.locator("#solve-answer .refusal", has_text="Stopped").wait_for()
    sync.expect(page.locator("#work")).to_be_hidden()
    drop_by_clicks_in_a_column(page)
    page.evaluate("document.getElementById('solve').click()")
    page.locator("#tab-rules").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+z")  # back to the rules of the game before
    page.locator("#title", has_text="AIMA").wait_for()
    assert page.locator("#solve-answer").text_content() == ""  # asked of the other game


def drop_by_clicks_in_a_column(page: Page) -> None:
    """On connect four's board, after a move: at the head of a column, and on an empty cell. The
    record names the squares, as the buttons do.
    """
    page.locator("#tab-play").click()
    place, stage = page.locator(".square[data-square=d1]").bounding_box(), page.locator("#squares")
    around = stage.bounding_box()
    assert place
    assert around
    middle = place["x"] + place["width"] / 2
    assert page.locator("#moves button").all_text_contents() == [
        "a1",
        "b2",
        "c1",
        "d1",
        "e1",
        "f1",
        "g1",
    ]
    page.mouse.click(middle, around["y"] + 4)
    page.locator("#log li:nth-child(2)", has_text="d1").wait_for()
    page.mouse.click(middle, place["y"] - 2 * place["height"])
    page.locator("#log li:nth-child(3)", has_text="d2").wait_for()


def test_the_page_marks_the_line_that_only_playing_shows_to_be_wrong(playground: Page) -> None:
    page = playground
    sync = pytest.importorskip("playwright.sync_api")
    for found in TEXTS.values():
        write(page, found.text)
        item = page.locator("#findings li.error", has_text=found.says)
        item.wait_for()
        count = "1 claim to mend" if found.code == "E4001" else "1 mistake"
        assert page.locator("#verdict.wrong").text_content() == count
        item.locator(".place").click()
        sync.expect(page.locator(".cm-activeLine")).to_have_text(found.line)
        sync.expect(page.locator(".cm-activeLine .cm-lintRange-error").first).to_be_visible()
        sync.expect(page.locator("#looked")).to_contain_text("position")
        sync.expect(page.locator("#work")).to_be_hidden()
    write(page, f"{tictactoe()}\nexpect states: 7\nexpect value: draw\n")
    page.locator("#drop-claims", has_text="Leave out the false claim").click()
    page.locator("#looked", has_text="1 claim holds.").wait_for()
    assert rules(page).endswith("expect value: draw\n")


def test_no_mistakes_is_said_once_the_rules_have_been_played(playground: Page) -> None:
    page = playground
    page.locator("#tab-rules").click()
    page.locator("#looked", has_text="Checked: all 5,478 positions; 8 claims hold.").wait_for()
    assert page.locator("#verdict.right").text_content() == "no mistakes found"


def test_arrow_keys_move_the_cursor_behind_a_word_that_is_complete(playground: Page) -> None:
    page = playground
    sync = pytest.importorskip("playwright.sync_api")
    write(page, "game Nim\nplayers Ann, Bob\n")
    page.locator(".cm-line", has_text="players").click()
    page.keyboard.press("Home")
    page.keyboard.type("state", delay=60)
    page.locator(".cm-tooltip-autocomplete").wait_for(state="hidden")
    page.keyboard.press("ArrowUp")
    sync.expect(page.locator(".cm-activeLine")).to_have_text("game Nim")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("sta", delay=60)
    page.locator(".cm-tooltip-autocomplete", has_text="state").wait_for()
    page.wait_for_timeout(200)  # a list that has just appeared takes no keys yet
    page.keyboard.press("Enter")
    sync.expect(page.locator(".cm-activeLine")).to_contain_text("state")


def test_a_new_game_from_a_template_is_won_by_dragging_saved_opened_and_shared_with_its_position(
    playground: Page, browser: Browser, tmp_path: Path
) -> None:
    page = playground
    sync = pytest.importorskip("playwright.sync_api")
    page.locator("#new").click()
    page.locator("#starts button[data-kind=capture]").click()
    page.locator("#title", has_text="Capture").wait_for()
    page.locator("#tab-play").click()  # a new game begins with its rules
    page.locator(".square[data-square=a1]").hover()
    page.mouse.down()
    start = page.locator(".square[data-square=a1]").bounding_box()
    assert start
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] - start["height"] / 2, steps=4)
    page.mouse.up()
    page.locator("#log li", has_text="Black").wait_for()
    page.locator(".square[data-square=a4]").click()
    page.locator(".square[data-square=b4]").click()  # another man instead
    sync.expect(page.locator(".square.picked")).to_have_attribute("data-square", "b4")
    page.keyboard.press("Escape")
    sync.expect(page.locator(".square.picked")).to_have_count(0)
    with page.expect_download() as saving:
        page.locator("#save").click()
    assert saving.value.suggested_filename == "capture.game"
    saving.value.save_as(tmp_path / "mine.game")
    page.locator("#share").click()
    page.locator("#link").wait_for()
    link = page.locator("#link").input_value()
    page.locator("#close-share").click()
    opened = browser.new_context().new_page()
    opened.goto(link)
    opened.locator("#log li", has_text="Black").wait_for(timeout=PATIENCE)
    choose(page, "tic_tac_toe")
    page.locator("#title", has_text="Tic-tac-toe").wait_for()
    page.locator("#file").set_input_files(tmp_path / "mine.game")
    page.locator("#title", has_text="Capture").wait_for()


def test_cards_are_turned_up_at_the_end_and_secrets_solved_from_the_beginning(
    playground: Page,
) -> None:
    page = playground
    page.locator("#games").click()
    page.locator("#search").fill("poker kuhn")
    assert page.locator(".tile:visible").count() == 2
    choose(page, "kuhn_poker")
    page.locator("#title", has_text="Kuhn").wait_for()
    page.locator("select[data-player='1']").select_option("search")  # by kernels, made of texts
    page.locator("#moves button", has_text="bet").click()
    page.locator("#standing", has_text="Game over").wait_for()
    assert "simulated plays" in (page.locator("#how").text_content() or "")
    log = page.locator("#log").text_content() or ""
    assert "card[Ann]=" in log
    assert "card[Bob]=" in log
    page.locator("#tab-solve").click()
    page.locator("#solve").click()
    page.locator("#solve-answer .headline", has_text="-1/18").wait_for()


def test_the_winning_line_is_marked(playground: Page) -> None:
    page = playground
    for square in ("a1", "b1", "a2", "b2", "a3"):
        page.locator(f".square[data-square={square}]").click()
    page.locator("#standing", has_text="X wins").wait_for()
    assert page.locator(".in-line").count() == 3
    assert page.locator("#log li").last.text_content() == "X a3"


def test_the_board_is_flipped_put_alone_on_a_page_and_rules_that_were_put_away_come_back(
    playground: Page, browser: Browser
) -> None:
    page = playground
    sync = pytest.importorskip("playwright.sync_api")
    corner = page.locator(".square[data-square=a1]")
    upright = corner.bounding_box()
    place = corner.get_attribute("style") or ""
    page.locator("#flip").click()
    sync.expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    sync.expect(corner).not_to_have_attribute("style", place)
    turned = corner.bounding_box()
    assert upright
    assert turned
    assert turned["y"] < upright["y"] - 50
    corner.click()
    page.locator("#log li", has_text="X a1").wait_for()
    page.locator("#share").click()
    page.locator("#share-box[open]").wait_for()  # the link is packed first
    code = page.locator("#frame").input_value()
    page.locator("#close-share").click()
    link = re.search(r'src="([^"]+)"', code)
    assert link
    alone = browser.new_context().new_page()
    alone.goto(link[1].replace("&amp;", "&"))
    sync.expect(alone.locator("#standing")).to_have_text("O to move")
    for place in ("header", "#side", "footer", "#gallery"):
        sync.expect(alone.locator(place)).to_be_hidden()
    alone.context.close()
    write(page, tictactoe().replace("Tic-tac-toe", "Noughts"))
    page.locator("#title", has_text="Noughts").wait_for()
    choose(page, "nim")
    page.locator("#title", has_text="Nim").wait_for()
    page.locator("#bring-back").click()
    page.locator("#title", has_text="Noughts").wait_for()
    sync.expect(page.locator("#away")).to_be_hidden()


def test_no_text_of_ones_own_is_lost(fresh: Page) -> None:
    page = fresh
    sync = pytest.importorskip("playwright.sync_api")
    write(page, tictactoe().replace("Tic-tac-toe", "Noughts"))
    page.locator("#title", has_text="Noughts").wait_for()
    page.locator("#tab-play").click()
    page.locator("#new").click()
    page.locator("#starts button[data-kind=dice]").click()
    page.locator("#title", has_text="Race").wait_for()
    dice = rules(page)
    assert page.locator("#tab-rules").get_attribute("aria-selected") == "true"
    write(page, dice.replace("Race", "Dash"))
    page.locator("#title", has_text="Dash").wait_for()
    sync.expect(page.locator("#away-title")).to_have_text("Noughts")
    page.locator("#bring-back").click()
    page.locator("#title", has_text="Noughts").wait_for()
    sync.expect(page.locator("#away-title")).to_have_text("Dash")
    page.locator("#close-away").click()
    sync.expect(page.locator("#away")).to_be_hidden()
    page.reload()
    page.locator("#title", has_text="Noughts").wait_for()
    choose(page, "nim")
    page.locator("#title", has_text="Nim").wait_for()
    page.locator("#games").click()
    assert page.locator("#yours b").all_text_contents() == ["Noughts", "Dash"]
    page.locator("#yours .tile", has_text="Dash").click()
    page.locator("#title", has_text="Dash").wait_for()
    assert rules(page) == dice.replace("Race", "Dash")
    sync.expect(page.locator("#away")).to_be_hidden()  # Nim is no text of one's own


def test_settings_are_typed_one_after_the_other_without_a_wait(playground: Page) -> None:
    page = playground
    choose(page, "hex")
    page.locator("#params input[name=width]").focus()
    for key in ("Control+a", "5", "Tab", "5", "Enter"):
        page.keyboard.press(key)
    page.locator(".square[data-square=e5]").wait_for()
    assert page.evaluate("document.activeElement.name") == "height"
    page.locator("#params input[name=width]").focus()
    for key in ("Control+a", "4", "Tab"):
        page.keyboard.press(key)
    page.locator(".square[data-square=e5]").wait_for(state="detached")
    page.keyboard.press("4")  # in place of the 5, which Tab has selected
    page.keyboard.press("Enter")
    page.locator(".square[data-square=d5]").wait_for(state="detached")
    assert [
        page.locator(f"#params input[name={name}]").input_value() for name in ("width", "height")
    ] == ["4", "4"]
    text = rules(page)
    assert "param width = 4" in text
    assert "param height = 4" in text


def test_a_link_to_no_game_shows_the_games_and_a_board_behind_them(
    address: str, page: Page
) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    page.goto(f"{address}#example=nosuch")
    expect(page.locator("#state")).to_have_text(
        "There is no game nosuch here; these are the games."
    )
    page.locator(".tile").first.wait_for()
    page.locator("#games").click()
    page.locator(".square[data-square=b2]").wait_for()
    expect(page.locator("#title")).to_have_text("Tic-tac-toe")


def test_cards_that_are_dealt_unseen_are_one_line_of_the_record(playground: Page) -> None:
    page = playground
    choose(page, "gin_rummy")
    page.locator("#moves button", has_text="take_up").click()
    page.locator("#log li:nth-child(2)").wait_for()
    lines = page.locator("#log li")
    assert lines.all_text_contents() == ["chance draws unseen, 21 times", "Ann take_up"]
    assert lines.nth(1).get_attribute("value") == "22"


def test_the_first_bug_of_hive_is_placed_by_a_click_on_a_square_as_large_as_a_finger(
    playground: Page,
) -> None:
    page = playground
    choose(page, "hive")
    square = page.locator(".square[data-square=k11]")
    assert (square.bounding_box() or {"width": 0})["width"] > 44
    square.click()
    page.locator("#moves button", has_text="A1").click()
    page.locator("#log li", has_text="k11 A1").wait_for()

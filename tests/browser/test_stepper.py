"""The page of a search in a real browser: what it shows at each step, by keys, clicks and address,
in the dark, on paper, and to those who do not see it well."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model.state import State
from gamedsl.reports.explanations.as_html import explain_html
from gamedsl.reports.trees.as_html import tree_html

if TYPE_CHECKING:
    from playwright.sync_api import Page

Number = int | float
Line = tuple[str, str, str]
"""A line of figure 5.7, and alpha and beta behind it, as the page writes them."""


def opened(page: Page, tmp_path: Path, name: str, moves: str = "", **how: str) -> Page:
    """The page of a tree, before the first step."""
    game = gamedsl.load(name)
    file = tmp_path / "tree.html"
    file.write_text(tree_html(gamedsl.tree(game, moves or None, **how), game), "utf-8")
    page.goto(file.as_uri())
    return page


@pytest.fixture
def figure(page: Page, tmp_path: Path) -> Page:
    """Figure 5.2, searched by alpha-beta."""
    return opened(page, tmp_path, "aima_fig_5_2", algorithm="alpha-beta")


def shown(page: Page) -> tuple[str, ...]:
    """What the page says: the event, alpha, beta, the value of the root, the step."""
    places = ("#event", "#alpha", "#beta", "#n0 .value", "#step")
    return tuple(page.locator(place).text_content() or "" for place in places)


def test_the_page_steps_to_the_first_cut_and_back(figure: Page) -> None:
    start = shown(figure)
    assert start == ("Before the search.", "-∞", "+∞", "", "0 of 33")
    while not shown(figure)[0].startswith("Cut"):
        figure.locator("#forward").click()
    cut = shown(figure)
    assert cut[0] == "Cut after a2: the value is ≤2 with α=3, β=+∞, so c2, c3 cannot matter."
    assert cut[1:4] == ("3", "+∞", "≥3")
    strikes = [figure.locator(f"#{edge} .strike") for edge in ("e7", "e8", "e9")]
    assert [strike.is_visible() for strike in strikes] == [False, True, True]
    figure.locator("#back").click()
    back = shown(figure)
    assert back[0] == "MIN after a2: the value is now ≤2, by c1."
    figure.keyboard.press("ArrowRight")
    assert shown(figure) == cut
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight"):
        figure.keyboard.press(key)
    assert shown(figure) == back
    figure.keyboard.press("End")
    assert shown(figure)[3] == "3"
    assert figure.locator("#n1").get_attribute("class") == "node min chosen"
    figure.keyboard.press("Home")
    assert shown(figure) == start
    figure.keyboard.press("n")
    assert shown(figure) == cut


def figure_5_7(game: LoadedGame, state: State) -> list[Line]:
    """ALPHA-BETA-SEARCH written down line by line, with nothing of the program's in it."""
    lines: list[Line] = []

    def say(line: str, alpha: Number, beta: Number) -> None:
        lines.append((line, *(str(bound).replace("inf", "∞") for bound in (alpha, beta))))

    def value(s: State, alpha: Number, beta: Number, is_max: bool) -> Number:
        name = "MAX" if is_max else "MIN"
        say(f"function {name}-VALUE", alpha, beta)
        if game.is_terminal(s):
            say("if TERMINAL-TEST(s)", alpha, beta)
            return int(game.utility(s, 0))
        v = float("-inf") if is_max else float("inf")
        for a in game.legal_actions(s):
            of_child = value(game.result(s, a), alpha, beta, not is_max)
            better = max(v, of_child) if is_max else min(v, of_child)
            if better != v:
                v = better
                say(f"v ← {name}(v,", alpha, beta)
                if v >= beta if is_max else v <= alpha:
                    sign = "≥ β" if is_max else "≤ α"
                    say(f"if v {sign} then", alpha, beta)
                    return v
            if is_max and v > alpha:
                alpha = v
                say("α ← MAX(α, v)", alpha, beta)
            if not is_max and v < beta:
                beta = v
                say("β ← MIN(β, v)", alpha, beta)
        say("return v", alpha, beta)
        return v

    value(state, float("-inf"), float("inf"), game.current_player(state) == 0)
    return [
        (line, "-∞" if alpha == "-∞" else alpha, "+∞" if beta == "∞" else beta)
        for line, alpha, beta in lines
    ]


def lines_of(page: Page) -> Iterator[Line]:
    """The marked line, alpha and beta, a step at a time; a cut is told and then carried out, in
    one line."""
    before = None
    while page.locator("#forward").is_enabled():
        page.keyboard.press("ArrowRight")
        line = (page.locator("#code [aria-current]").text_content() or "").strip()
        now = (line, *shown(page)[1:3])
        if now != before or not line.startswith("if v"):
            yield now
        before = now


@pytest.mark.parametrize(
    ("name", "moves"), [("aima_fig_5_2", ""), ("tic_tac_toe", "a1 b1 a2 b2 c3")]
)
def test_every_step_is_a_line_of_figure_5_7_with_its_alpha_and_beta(
    page: Page, tmp_path: Path, name: str, moves: str
) -> None:
    opened(page, tmp_path, name, moves, algorithm="alpha-beta")
    game = gamedsl.load(name)
    state = game.position(moves) if moves else game.initial_state()
    stepped = list(lines_of(page))
    expected = figure_5_7(game, state)
    assert len(stepped) == len(expected)
    for (line, *window), (begins, *wanted) in zip(stepped, expected, strict=True):
        assert line.startswith(begins)
        assert window == wanted


def test_before_the_first_step_nothing_is_given_away(figure: Page) -> None:
    values = figure.locator("#tree .value, #tree .window").all_text_contents()
    assert not "".join(values)
    assert figure.locator(".chosen, .pruned").count() == 0
    assert not figure.locator("#result").is_visible()
    assert figure.locator("#tree").text_content().count("value") == 0  # type: ignore[union-attr]
    tops = {figure.locator(f"#n{n} .shape").bounding_box()["y"] for n in (1, 2, 3)}  # type: ignore[index]
    lefts = [figure.locator(f"#n{n} .shape").bounding_box()["x"] for n in range(4, 13)]  # type: ignore[index]
    gaps = {round(right - left, 1) for left, right in pairwise(lefts)}
    assert len(tops) == 1
    assert len(gaps) == 1


def test_the_step_stands_in_the_address(figure: Page) -> None:
    address = figure.url
    figure.locator("#position").fill("12")
    assert figure.url == address + "#12"
    figure.goto(address + "#20")
    assert shown(figure)[4] == "20 of 33"
    figure.goto(address + "#1000")
    assert shown(figure)[4] == "33 of 33"
    figure.goto(address + "#nonsense")
    assert shown(figure)[4] == "0 of 33"


def test_what_changes_is_marked_with_what_it_was(figure: Page) -> None:
    while "β is now" not in shown(figure)[0]:
        figure.keyboard.press("ArrowRight")
    assert shown(figure)[2] == "3"
    assert figure.locator("#beta").get_attribute("class") == "changed"
    assert figure.locator("#beta-was").text_content() == " was +∞"
    assert figure.locator("#n1 .window").text_content() == "[-∞, 3]"


def test_cuts_are_predicted_before_they_are_shown(figure: Page) -> None:
    figure.locator("#predict").check()
    figure.keyboard.press("n")
    assert figure.locator("#asked").text_content() == "Can the search do without b2, b3?"
    assert figure.locator("#forward").is_disabled()
    at = shown(figure)[4]
    figure.keyboard.press("ArrowRight")
    assert shown(figure)[4] == at
    figure.keyboard.press("l")
    assert figure.locator("#score").text_content() == "1 of 1 right"
    assert shown(figure)[0].startswith("Right. MIN after a1: β is now 3")
    figure.keyboard.press("n")
    assert "a2, a3" in (figure.locator("#asked").text_content() or "")
    figure.locator("#yes").click()
    assert shown(figure)[0].startswith("No. MAX at the root: α is now 3")
    figure.keyboard.press("n")
    figure.locator("#yes").click()
    assert figure.locator("#score").text_content() == "2 of 3 right"
    assert shown(figure)[0].startswith("Right. Cut after a2")
    figure.locator("#back").click()
    assert not figure.locator("#question").is_visible()


def test_a_click_on_a_node_goes_to_its_next_step(figure: Page) -> None:
    figure.locator("#n2 .shape").click()
    assert shown(figure)[0] == "Visit MIN after a2."
    figure.locator("#n2 .shape").click()
    assert shown(figure)[0] == "MIN after a2: the value is now ≤2, by c1."


def test_a_tree_wider_than_the_window_is_followed(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, "tic_tac_toe", "a1 b1 a2 b2", algorithm="alpha-beta")
    page.locator("#fit").uncheck()
    region = page.locator("#tree").bounding_box()
    assert region is not None
    for step in ("0", "60", "179"):
        page.locator("#position").fill(step)
        here = page.locator(".node.here .shape" if step > "0" else "#n0 .shape").bounding_box()
        assert here is not None
        assert region["x"] <= here["x"] <= region["x"] + region["width"], step
        assert region["y"] <= here["y"] <= region["y"] + region["height"], step


CONTRASTS = """
() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
      const c = part / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = getComputedStyle(document.querySelector("#tree .paper")).fill;
  const found = [];
  for (const text of document.querySelectorAll("#tree text")) {
    if (!text.textContent || text.closest(".board")) continue;
    const shape = text.parentNode.querySelector(".shape");
    const isInside = text.classList.contains("value") && shape;
    const one = light(getComputedStyle(text).fill);
    const two = light(isInside ? getComputedStyle(shape).fill : paper);
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < 4.5) found.push(text.textContent + ": " + ratio.toFixed(2));
  }
  return found;
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(figure: Page, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    figure.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    paper = figure.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}[scheme]
    figure.locator("#predict").check()
    for step in ("0", "18", "33"):
        figure.locator("#position").fill(step)
        assert figure.evaluate(CONTRASTS) == []
        found = axe.run(figure)
        assert found.violations_count == 0, found.generate_report()


OTHERS = (
    ("aima_three_player", "maxn"),
    ("aima_three_player", "paranoid"),
    ("expectiminimax", "expectiminimax"),
    ("expectiminimax", "star1"),
    ("expectiminimax", "star2"),
    ("tic_tac_toe", "mcts"),
)


@pytest.mark.parametrize(("name", "algorithm"), OTHERS)
def test_everybody_can_read_the_pages_of_other_searches_on_a_phone_in_the_dark(
    page: Page, tmp_path: Path, name: str, algorithm: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, tmp_path, name, algorithm=algorithm)
    page.keyboard.press("End")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(CONTRASTS) == []
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(("name", "algorithm"), OTHERS)
def test_pages_of_other_searches_go_on_step_by_step(
    page: Page, tmp_path: Path, name: str, algorithm: str
) -> None:
    opened(page, tmp_path, name, algorithm=algorithm)
    for number in range(1, 9):  # an error in the script fails the test, too
        page.keyboard.press("ArrowRight")
        assert (page.locator("#step").text_content() or "").startswith(f"{number} of")
        assert page.url.endswith(f"#{number}")


def test_a_tree_without_a_search_is_shown_whole(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, "kuhn_poker")
    hidden = "(box => box.scrollHeight - box.clientHeight)(document.querySelector('#tree'))"
    assert page.evaluate(hidden) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_definition_can_be_read_in_the_dark_too(page: Page, tmp_path: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    file = tmp_path / "definition.html"
    game = gamedsl.load("tic_tac_toe")
    file.write_text(explain_html(gamedsl.explain(game), game), "utf-8")
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(file.as_uri())
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}[scheme]
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()


def test_on_paper_stand_the_tree_the_algorithm_the_event_and_the_window(figure: Page) -> None:
    figure.locator("#position").fill("18")
    figure.emulate_media(media="print", color_scheme="dark")
    places = ("#event", "#tree svg", "#code", "#v", "#alpha", "#beta")
    assert all(figure.locator(place).is_visible() for place in places)
    controls = figure.locator("button, input, .hint").all()
    assert not any(control.is_visible() for control in controls)
    assert (
        figure.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    )

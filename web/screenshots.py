"""Photograph the built playground: `python web/screenshots.py` writes `docs/screenshots`.

In: the page that `python web/build.py` has made. Out: each state of `STATES` as it looks on a desk
in the light and on a phone in the dark (`--all`: both sizes in both schemes), as small WebP files.
Playwright and Chromium are needed (`pip install 'gamedsl[web]'`; `CHROMIUM` names another one).
"""

from __future__ import annotations

import argparse
import os
import shutil
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

import gamedsl
from gamedsl.cli.bodies.serving.playground import LOOPBACK, Handler

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WEB = Path(__file__).resolve().parent
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
USUAL = (("desk", "light"), ("phone", "dark"))
ALL = tuple((size, scheme) for size in SIZES for scheme in ("light", "dark"))
QUALITY = 0.35
PATIENCE = 120_000
"""Milliseconds for one step."""
SMALL = """async ([picture, quality]) => {
  const image = new Image();
  image.src = "data:image/png;base64," + picture;
  await image.decode();
  const { width, height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def game(page: Page, name: str, *moves: str) -> None:
    """Open a game, and play moves by the buttons of their names."""
    title = gamedsl.load(name).name
    page.evaluate("name => { location.hash = `example=${name}`; }", name)
    page.wait_for_function("title => document.title.startsWith(title)", arg=title)
    page.locator("#board:not([inert])").wait_for()
    if page.locator("#restart").is_enabled():
        page.locator("#restart").click()
    page.locator("#tab-play").click()
    for number, move in enumerate(moves):
        page.locator(f"#moves button[aria-label='{move}']").click()
        page.locator("#log li").nth(number).wait_for(state="attached")


def panel(page: Page, tab: str, button: str, shown: str) -> None:
    """Open a panel and let it answer."""
    page.locator(f"#tab-{tab}").click()
    if button:
        page.locator(f"#{button}").click()
    page.locator(shown).first.wait_for()
    page.wait_for_timeout(300)


def tried(page: Page) -> None:
    """Rules with a mistake."""
    game(page, "tic_tac_toe")
    panel(page, "rules", "", ".cm-line")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    for _ in range(12):
        page.keyboard.press("ArrowDown")
    page.keyboard.insert_text("misere\n")
    page.locator("#findings li.error").first.wait_for()


def mended(page: Page) -> None:
    """The rules as they were, looked at."""
    game(page, "tic_tac_toe")
    panel(page, "rules", "", ".cm-line")
    page.locator("#verdict.right").wait_for()


def values(page: Page, *opened: str) -> None:
    """A game with the values of moves and the bar."""
    game(page, *opened)
    page.locator("#values").check()
    page.locator("#bar:not([hidden])").wait_for()


def played(page: Page) -> None:
    """A card game to its end; who moves after the cards are dealt."""
    game(page, "kuhn_poker")
    for name in ("bet", "call"):
        page.locator("#moves button", has_text=name).click()
    page.locator("#standing", has_text="Game over").wait_for()


def dialog(page: Page, button: str, box: str) -> None:
    """A dialog above tic-tac-toe."""
    game(page, "tic_tac_toe")
    page.locator(f"#{button}").click()
    page.locator(f"#{box}[open]").wait_for()


def picked(page: Page) -> None:
    """A man of chess that is picked."""
    game(page, "chess", "go(e2, e4)", "go(e7, e5)")
    page.locator(".square[data-square=g1]").click()
    page.locator(".square.picked").wait_for()


def answered(page: Page, name: str, tab: str, button: str, shown: str) -> None:
    """A panel about a game."""
    game(page, name)
    panel(page, tab, button, shown)


WON = ("mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)", "mark(a3)")
STATES: dict[str, Callable[[Page], None]] = {
    "games": lambda page: page.locator(".tile").first.wait_for(),
    "start": lambda page: game(page, "tic_tac_toe"),
    "won": lambda page: game(page, "tic_tac_toe", *WON),
    "values": lambda page: values(page, "tic_tac_toe", *WON[:2]),
    "solved": lambda page: answered(
        page, "tic_tac_toe", "solve", "solve", "#solve-answer .headline"
    ),
    "rules": mended,
    "definition": lambda page: answered(page, "nim", "explain", "explain", ".definition"),
    "chess": lambda page: game(page, "chess"),
    "picked": picked,
    "kalah": lambda page: game(page, "kalah"),
    "go": lambda page: game(page, "go"),
    "cards": played,
    "poker_solved": lambda page: answered(
        page, "kuhn_poker", "solve", "solve", "#solve-answer .headline"
    ),
    "sets": lambda page: answered(page, "kuhn_poker", "matrix", "matrix", "#matrix-answer table"),
    "dice": lambda page: game(page, "pig", "roll"),
    "matrix": lambda page: answered(
        page, "prisoners_dilemma", "matrix", "matrix", "#matrix-answer table"
    ),
    "tree": lambda page: answered(page, "aima_fig_5_2", "tree", "grow", "iframe.tree"),
    "new": lambda page: dialog(page, "new", "new-box"),
    "share": lambda page: dialog(page, "share", "share-box"),
    "mistake": tried,
}


def photograph(browser: Browser, address: str, folder: Path, size: str, scheme: str) -> None:
    """All states in one size and scheme, one after the other on one page."""
    wide, high = SIZES[size]
    context = browser.new_context(viewport={"width": wide, "height": high})
    context.set_default_timeout(PATIENCE)
    page, blank = context.new_page(), context.new_page()
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(address)
    page.bring_to_front()
    for name, arrange in STATES.items():
        arrange(page)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(400)
        picture = b64encode(page.screenshot()).decode()
        small = b64decode(blank.evaluate(SMALL, [picture, QUALITY]))
        (folder / f"{name}_{size}_{scheme}.webp").write_bytes(small)
        print(f"{name}_{size}_{scheme}: {len(small) / 1000:.0f} kB", flush=True)
        page.keyboard.press("Escape")
        if page.locator("#values").is_checked():
            page.locator("#values").uncheck()
    context.close()


def main() -> None:
    """Read the options, serve the page and photograph it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=WEB.parent / "docs" / "screenshots")
    parser.add_argument("--all", action="store_true", help="both sizes in both schemes")
    parser.add_argument("states", nargs="*", help="some of the states (all without names)")
    options = parser.parse_args()
    for name in set(STATES) - set(options.states or STATES):
        del STATES[name]
    options.folder.mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer((LOOPBACK, 0), partial(Handler, directory=str(WEB / "dist")))
    Thread(target=server.serve_forever, daemon=True).start()
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for size, scheme in ALL if options.all else USUAL:
            photograph(
                browser, f"http://{LOOPBACK}:{server.server_port}/", options.folder, size, scheme
            )
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()

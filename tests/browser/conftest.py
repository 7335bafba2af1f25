"""Pages in a real browser: headless Chromium, driven by Playwright (`pip install 'gamedsl[web]'`).

Where Playwright or Chromium is missing, the tests here are skipped, and say so. Chromium is the one
of the system; `CHROMIUM=/path/to/it` names another.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from gamedsl.cli.bodies.serving.playground import LOOPBACK, NEEDED, Handler

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "web" / "dist"
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60_000
"""Milliseconds that a busy machine may take for one step; nothing here is about time."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. It is closed when the last test of the file is over: while Playwright runs, no
    other test could run an event loop."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Watched:
    """An empty page, 1280 by 800. An error in a script of the opened page, in Python within it
    too, closes the page, so that no wait goes on; `errors` holds the messages, `asked`
    all requests.
    """

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        self.page.set_default_timeout(PATIENCE)
        pytest.importorskip("playwright.sync_api").expect.set_options(timeout=PATIENCE)
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self._fail(str(error)))
        self.page.on(
            "console", lambda told: self._fail(told.text) if told.type == "error" else None
        )
        self.page.context.on("request", lambda request: self.asked.append(request.url))

    def _fail(self, message: str) -> None:
        self.errors.append(message)
        self.page.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page for one test, which fails by an error in it."""
    watched = Watched(browser)
    yield watched.page
    watched.page.context.close()
    assert not watched.errors, "\n".join(watched.errors)


def why_not_built() -> str | None:
    """Why there is no page to be tested; None if there is one, of the sources as they are."""
    if not all((DIST / name).is_file() for name in NEEDED):
        return "the playground is not built: python web/build.py"
    made = (DIST / "service_worker.js").stat().st_mtime
    sources = [*(ROOT / "web/src").iterdir(), *(ROOT / "gamedsl").rglob("*.py")]
    if any(path.stat().st_mtime > made for path in sources):
        return "the playground is older than its sources: python web/build.py"
    return None


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the built page is served."""
    reason = why_not_built()
    if reason is not None:
        pytest.skip(reason)
    server = ThreadingHTTPServer((LOOPBACK, 0), partial(Handler, directory=str(DIST)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{LOOPBACK}:{server.server_port}/"
    server.shutdown()
    server.server_close()

"""The site of the documents: it is built, and its pages show what they are for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from base64 import urlsafe_b64decode
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gamedsl
from gamedsl.game import shipped_games
from tests.browser.conftest import PATIENCE, browser  # noqa: F401 (a fixture)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
TAG = re.compile(r"<[^>]*>")
LINK = re.compile(r'class="playground" href="\.\./playground/index\.html#rules=([\w-]+)"')
FETCHED = re.compile(r'(?:src|<link[^>]* href)="(https?:)?//')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; links that lead nowhere fail here."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    return folder


def test_every_game_has_a_page_with_its_picture_and_its_rules(site: Path) -> None:
    for path in shipped_games():
        page = (site / "games" / f"{path.stem}.html").read_text("utf-8")
        picture = re.search(r'class="position" src="([^"]*)"', page)
        assert picture is not None
        assert (site / "games" / picture[1]).is_file()
        shown = unescape(TAG.sub("", page))
        assert path.read_text("utf-8").strip() in shown


def test_what_the_package_offers_is_documented(site: Path) -> None:
    page = (site / "api.html").read_text("utf-8")
    for name in gamedsl.__all__:
        if callable(getattr(gamedsl, name)):
            assert re.search(rf'id="gamedsl\.[\w.]*\b{name}"', page), name


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert FETCHED.search(page.read_text("utf-8")) is None, page


def test_the_search_answers_on_pages_opened_as_files(site: Path, browser: Browser) -> None:  # noqa: F811
    opened = browser.new_page()
    opened.goto((site / "index.html").as_uri())
    opened.click(".md-search__input")
    opened.keyboard.type("draw a card")
    first = opened.locator(".md-search-result__item a").first
    first.wait_for(timeout=PATIENCE)
    assert "cookbook.html" in (first.get_attribute("href") or "")


@pytest.mark.skipif(not (ROOT / "web" / "dist").is_dir(), reason="the playground is not built")
def test_rules_are_opened_in_the_playground(site: Path) -> None:
    assert (site / "playground" / "index.html").is_file()
    for path in shipped_games():
        link = LINK.search((site / "games" / f"{path.stem}.html").read_text("utf-8"))
        assert link is not None
        packed = urlsafe_b64decode(link[1] + "=" * (-len(link[1]) % 4))
        assert (
            zlib.decompress(packed, wbits=-15).decode().strip() == path.read_text("utf-8").strip()
        )

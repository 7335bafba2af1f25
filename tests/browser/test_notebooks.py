"""The notebooks in JupyterLite: one is run in a real browser, without anybody else being asked.

They are tested as they are built (`python web/build.py --notebooks`); else the test is skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import DIST, PATIENCE, ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def lab(address: str) -> str:
    """Where the notebooks are served."""
    kept = ROOT / "docs" / "notebooks" / "1_definitions.ipynb"
    built = DIST / "lab" / "files" / kept.name
    if not built.is_file() or built.read_bytes() != kept.read_bytes():
        pytest.skip("the notebooks are not built: python web/build.py --notebooks")
    return f"{address}lab/"


def test_the_first_notebook_runs_in_the_browser(browser: Browser, lab: str, address: str) -> None:
    context = browser.new_context()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{lab}notebooks/index.html?path=1_definitions.ipynb")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    page.get_by_role("menuitem", name="Edit", exact=True).click()
    page.get_by_role("menuitem", name="Clear Outputs of All Cells").click()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    last = page.locator(".jp-CodeCell .jp-OutputArea-executeResult", has_text="('Ann wins', 5)")
    last.wait_for()
    assert "E3001" in (page.locator(".jp-Notebook").text_content() or "")
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    context.close()
    assert not [url for url in asked if not url.startswith((address, "data:", "blob:"))]

"""The page of a search in a real browser: it steps forwards and backwards without a network.

A driver is added to a copy of the page; it clicks and presses keys as a reader would, and writes
down what the page then shows. Without Chromium on this machine the test is skipped.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from .conftest import Run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

DRIVER = """
<script>
const seen = [];
const note = (what) => seen.push([what, get("event").textContent, get("alpha").textContent,
  get("beta").textContent, get("n0").querySelector(".value").textContent,
  get("step").textContent]);
const press = (key) => document.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
note("start");
for (let i = 0; i < 200 && !get("event").textContent.startsWith("Cut"); i++) {
  get("forward").click();
}
note("cut");
seen.push(["struck", ...["e7", "e8", "e9"].map((id) =>
  get(id).querySelector(".strike").getAttribute("visibility"))]);
get("back").click(); note("back");
press("ArrowRight"); note("right");
press("ArrowLeft"); press("ArrowLeft"); press("ArrowRight"); note("left left right");
press("End"); note("end");
press("Home"); note("home");
const result = document.createElement("pre");
result.id = "seen";
result.textContent = JSON.stringify(seen);
document.body.append(result);
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_the_page_steps_to_the_first_cut_and_back(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "tree.html"
    made = run("tree", "aima_fig_5_2", "--algorithm", "alpha-beta", "--format", "html", "-o", page)
    assert made.status == 0
    page.write_text(page.read_text("utf-8").replace("</body>", DRIVER + "</body>"), "utf-8")
    seen = _seen(page, tmp_path)
    assert seen["start"] == ["Before the search.", "-∞", "+∞", "", "0 of 29"]
    cut = seen["cut"]
    assert cut[0] == "Cut after a2: the value is ≤2 with α=3, β=+∞, so c2, c3 cannot matter."
    assert cut[1:4] == ["3", "+∞", "≥3"]
    assert seen["struck"] == ["hidden", "visible", "visible"]  # c1, c2, c3
    assert seen["back"][0] == "MIN after a2: the value is now ≤2, by c1."
    assert seen["right"] == cut
    assert seen["left left right"] == seen["back"]
    assert seen["end"][3] == "3"
    assert seen["home"] == seen["start"]


def _seen(page: Path, profile: Path) -> dict[str, list[str]]:
    """What the driver wrote down, by the name of the moment."""
    assert CHROMIUM is not None
    shown = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
         f"--user-data-dir={profile / 'profile'}", "--virtual-time-budget=4000",
         "--dump-dom", page.as_uri()],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    found = re.search(r'<pre id="seen">(.*?)</pre>', shown, re.DOTALL)
    assert found is not None, "the script of the page has failed"
    return {name: rest for name, *rest in json.loads(unescape(found[1]))}

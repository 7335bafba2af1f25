"""How long the playground takes to its first move: `python -m benchmarks.playground [FOLDER]`.

In: the built page (`python web/build.py`), Playwright and Chromium. Out: for a first visit and for
the next one the seconds until a move can be made, until it has been made, and until Python runs
(the first moves are known before), by the clock and by the processors' time of the browser, which
does not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import perf_counter

from playwright.sync_api import BrowserContext, sync_playwright

from gamedsl.cli.bodies.serving.playground import LOOPBACK, Handler

DIST = Path(__file__).resolve().parents[1] / "web" / "dist"
PATIENCE = 120_000
TICKS = os.sysconf("SC_CLK_TCK")


def measure(folder: Path) -> Iterator[str]:
    """Lines of a table."""
    server = ThreadingHTTPServer((LOOPBACK, 0), partial(Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://{LOOPBACK}:{server.server_port}/"
    columns = "".join(f"{name:>14}" for name in ("ready", "first move", "Python"))
    yield f"{'visit':<10}{columns}   seconds (of the processors)"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"),
            args=["--no-sandbox"],
        )
        context = chromium.new_context()
        for name in ("first", "second"):
            yield f"{name:<10}" + "".join(f"{text:>14}" for text in _visit(context, address))
        chromium.close()
    server.shutdown()


def _visit(context: BrowserContext, address: str) -> Iterator[str]:
    started, used = perf_counter(), _processors()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)

    def passed() -> str:
        return f"{perf_counter() - started:.1f} ({_processors() - used:.1f})"

    page.goto(address)
    page.locator(".square").first.wait_for()
    yield passed()
    page.locator(".square").first.click()
    page.locator("#log li").first.wait_for()
    yield passed()
    page.locator("#state:empty").wait_for(state="attached")
    yield passed()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_timeout(5000)
    page.close()


def _processors() -> float:
    """Seconds that all processes below this one have taken and still run."""
    parents, taken = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has ended meanwhile
            number = int(entry.name)
            parents[number] = int(fields[1])
            taken[number] = (int(fields[11]) + int(fields[12])) / TICKS
    return sum(seconds for number, seconds in taken.items() if _is_ours(number, parents))


def _is_ours(number: int, parents: dict[int, int]) -> bool:
    while number in parents:
        number = parents[number]
        if number == os.getpid():
            return True
    return False


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=DIST)
    for line in measure(parser.parse_args().folder):
        print(line, flush=True)

"""`gamedsl playground`: serves the built page to the local machine only, until stopped."""

from __future__ import annotations

import errno
import gzip
import io
import re
import webbrowser
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import BinaryIO

from gamedsl.cli.boundary import wrong_usage
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode

LOOPBACK = "127.0.0.1"
OWN_NAMES = re.compile(r"(127\.0\.0\.1|localhost)(:[0-9]*)?", re.IGNORECASE)
"""Valid host names of a request; the port 80 is omitted."""
PACKAGE = Path(__file__).resolve().parents[3]
PAGES = (PACKAGE / "_playground", PACKAGE.parent / "web" / "dist")
"""The folders of the built page: in a wheel, and in a checkout."""
TEXTS = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json", ".svg": "image/svg+xml; charset=utf-8",
}  # fmt: skip
"""The types of files that are sent compressed, by suffix."""
NO_PAGE = "there is no such page"
NEEDED = ("index.html", "worker.js", "library.zip", "pyodide/pyodide.asm.wasm")
"""Files required in a playground folder."""


class Handler(SimpleHTTPRequestHandler):
    """Serves the files of a folder to requests that name the local machine."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 (the interface of http.server)
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
        ".svg": "image/svg+xml",
    }

    def handle(self) -> None:
        """Handle all requests of a connection; a page may be closed during an answer."""
        with suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        """Send a file, unless the request names a foreign host."""
        if self._is_asked_by_name():
            super().do_GET()

    def do_HEAD(self) -> None:
        """Send the headers of a file."""
        if self._is_asked_by_name():
            super().do_HEAD()

    def _is_asked_by_name(self) -> bool:
        if OWN_NAMES.fullmatch(self.headers.get("Host") or ""):
            return True
        self.send_error(HTTPStatus.FORBIDDEN, "this server is for its own machine")
        return False

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Send the headers and return the file, texts compressed for browsers that ask for it;
        paths that cannot be file names are not found."""
        try:
            return self._compressed() or super().send_head()
        except (ValueError, OSError):
            self.send_error(HTTPStatus.NOT_FOUND, NO_PAGE)
            return None

    def _compressed(self) -> io.BytesIO | None:
        """A text in gzip; None for other files, and where the browser does not ask for gzip."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        kind = TEXTS.get(path.suffix)
        if kind is None or "gzip" not in self.headers.get("Accept-Encoding", ""):
            return None
        try:
            content = gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)
        except OSError:
            return None
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return io.BytesIO(content)

    def list_directory(self, path: object) -> None:
        """Deny lists of files."""
        self.send_error(HTTPStatus.NOT_FOUND, NO_PAGE)

    def end_headers(self) -> None:
        """Make browsers revalidate cached files, so that a new build is seen."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as in http.server)
        """Log nothing."""


def run(folder: Path | None, port: int, opens_browser: bool) -> ExitCode:
    """Serve until the process is stopped."""
    page = _built(folder)
    server = _server(page, port)
    with server:
        address = f"http://{LOOPBACK}:{server.server_port}/"
        Console().out(f"the playground is at {address} (Ctrl-C ends it)")
        if opens_browser:
            webbrowser.open(address)
        server.serve_forever()
    return ExitCode.DONE


def _built(folder: Path | None) -> Path:
    """The folder of the built page. Raises `CommandError` with advice if files are missing."""
    installed, in_checkout = PAGES
    page = folder or (installed if installed.is_dir() else in_checkout)
    missing = [name for name in NEEDED if not (page / name).is_file()]
    if not missing:
        return page
    if folder is not None:
        problem = f"{folder} holds no playground: there is no {missing[0]} in it"
    else:
        problem = "the playground is not built"
    raise wrong_usage(
        f"{problem}\n"
        "  = help: `python web/build.py` in a checkout makes the folder web/dist, and packages"
        " installed afterwards hold it; `--folder` names one that lies elsewhere",
    )


def _server(page: Path, port: int) -> ThreadingHTTPServer:
    try:
        return ThreadingHTTPServer((LOOPBACK, port), partial(Handler, directory=str(page)))
    except OverflowError:
        problem = "is no port; ports go from 0 (any that is free) to 65535"
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            problem = "is taken; `--port 0` takes any that is free"
        else:
            problem = f"cannot be used: {(error.strerror or str(error)).lower()}"
    raise wrong_usage(f"port {port} {problem}")

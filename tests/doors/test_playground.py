"""`gamedsl playground`: what is served, to whom, and what is said where nothing can be."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from gamedsl.cli.bodies.serving.playground import LOOPBACK, NEEDED, Handler

from .conftest import Run


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A folder that looks built."""
    for name in NEEDED:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, "utf-8")
    return tmp_path


@pytest.fixture
def port(page: Path) -> Iterator[int]:
    """Where that folder is served."""
    server = ThreadingHTTPServer((LOOPBACK, 0), partial(Handler, directory=str(page)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def get(port: int, path: str, host: str | None = None) -> HTTPResponse:
    """What is answered to who calls the server by a name."""
    connection = HTTPConnection(LOOPBACK, port)
    connection.request("GET", path, headers={} if host is None else {"Host": host})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_files_come_as_what_they_are(port: int) -> None:
    kinds = {
        "/": "text/html",
        "/worker.js": "text/javascript",
        "/pyodide/pyodide.asm.wasm": "application/wasm",
    }
    for path, kind in kinds.items():
        answer = get(port, path)
        assert (answer.status, answer.getheader("Content-Type")) == (200, kind)
        assert answer.getheader("Cache-Control") == "no-cache"


def test_nothing_else_is_served(port: int) -> None:
    assert get(port, "/pyodide/").status == 404
    assert get(port, "/../../etc/passwd").status == 404
    assert get(port, "/", f"elsewhere.example:{port}").status == 403
    assert get(port, "/", "elsewhere.example").status == 403
    assert get(port, "/", "localhost.elsewhere.example").status == 403
    assert get(port, "/", "").status == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST"])
def test_at_port_80_a_browser_names_no_port(port: int, name: str) -> None:
    assert get(port, "/", name).status == 200
    assert get(port, "/", f"{name}:{port}").status == 200


@pytest.mark.parametrize(
    "path", ["/%00", "/a%00.js", "/%ed%a0%80", "http://[/../../", "/" + "x" * 9_000]
)
def test_a_name_that_no_file_can_have_is_no_page(
    port: int, capfd: pytest.CaptureFixture[str], path: str
) -> None:
    assert get(port, path, f"localhost:{port}").status == 404
    assert capfd.readouterr().err == ""


def test_a_page_that_is_closed_while_it_loads_is_nothing_to_talk_about(
    port: int, page: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (page / "large.wasm").write_bytes(bytes(20_000_000))
    for request in (b"GET /large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /large"):
        with socket.create_connection((LOOPBACK, port)) as connection:
            reset_when_closed = struct.pack("ii", 1, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset_when_closed)
            connection.sendall(request)
            connection.recv(100) if request.endswith(b"\n") else None
    assert get(port, "/").status == 200
    while any(one.name.endswith("(process_request_thread)") for one in threading.enumerate()):
        time.sleep(0.01)
    assert capfd.readouterr().err == ""


def test_the_address_is_told(run: Run, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", lambda _: None)
    found = run("playground", "--folder", page, "--port", "0")
    assert (found.status, found.err) == (0, "")
    assert found.out == f"the playground is at {opened[0]} (Ctrl-C ends it)\n"
    assert run("playground", "--folder", page, "--port", "0", "--no-browser").status == 0
    assert len(opened) == 1


def test_what_is_not_there_is_said(
    run: Run, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (page / "worker.js").unlink()
    found = run("playground", "--folder", page)
    assert found.status == 2
    assert f"{page} holds no playground: there is no worker.js in it" in found.err
    places = (tmp_path / "installed", tmp_path / "checkout")
    monkeypatch.setattr("gamedsl.cli.bodies.serving.playground.PAGES", places)
    found = run("playground")
    assert found.status == 2
    assert "error: the playground is not built" in found.err
    assert "python web/build.py" in found.err


def test_a_port_that_cannot_be_had_is_said(run: Run, page: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        number = taken.getsockname()[1]
        found = run("playground", "--folder", page, "--port", str(number), "--no-browser")
    assert (found.status, found.err.splitlines()[0]) == (
        2,
        f"error: port {number} is taken; `--port 0` takes any that is free",
    )
    found = run("playground", "--folder", page, "--port", "70000", "--no-browser")
    assert "port 70000 is no port" in found.err


def test_texts_are_sent_compressed_to_browsers_that_ask(port: int, page: Path) -> None:
    (page / "main.js").write_text("one " * 1000, "utf-8")
    for asked, length in (({"Accept-Encoding": "gzip"}, 200), ({}, 4001)):
        connection = HTTPConnection(LOOPBACK, port)
        connection.request("GET", "/main.js", headers=asked)
        answer = connection.getresponse()
        assert answer.getheader("Content-Encoding") == ("gzip" if asked else None)
        assert 0 < len(answer.read()) < length
        for path in ("/../main.json", "/pyodide/", "/none.js"):
            connection.request("GET", path, headers=asked)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 404
        connection.close()

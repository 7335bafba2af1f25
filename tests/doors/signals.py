"""Processes that signals are sent to."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def begin(
    *command: str, interrupts: signal.Handlers = signal.SIG_DFL, **settings: str
) -> subprocess.Popen[str]:
    """A Python process that hears interrupts or ignores them, whoever started this one."""
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT, env={**os.environ, **settings},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, interrupts),
    )  # fmt: skip


def wait_until_heard(process: subprocess.Popen[str]) -> None:
    """Wait until the process has handlers of its own for signals."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        caught = re.search(r"SigCgt:\s*(\w+)", status.read_text())
        if caught is not None and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.002)

"""Entry point of the process. Slow imports follow after the signal handlers are set."""

from __future__ import annotations

from gamedsl.cli import process


def main() -> None:
    """Run the command line."""
    process.run(_program)


def _program() -> None:
    from gamedsl.cli.boundary import run_program
    from gamedsl.cli.program import app

    run_program(lambda: app(prog_name="gamedsl"))

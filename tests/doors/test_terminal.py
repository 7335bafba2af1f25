"""`gamedsl play` at a real terminal: a pseudo-terminal on which a person types.

Every wait is for something to appear, with a limit after which a test gives up.
"""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamedsl import load
from gamedsl.game.reading import read_play

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
"""Seconds after which something has gone wrong."""
TAB, UP, CTRL_C, CTRL_D = "\t", "\x1b[A", "\x03", "\x04"
TINY = """\
game "Tiny"
players A, B
board 2 wide 2 high

state:
    at[square]: empty | players = empty

move put(s in square):
{rule}
    at[s] = turn

end:
    if stuck: draw
"""
SEQUENCES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x07|\r|\x08")


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, *arguments: str, columns: int = 0) -> None:
        self.text = ""
        self._read = 0
        self.process, self._descriptor = pty.fork()
        if self.process == 0:  # pragma: no cover -- the other process
            os.chdir(ROOT)
            os.environ.update(TERM="xterm", INPUTRC="/dev/null")
            if columns:  # else it is one without a size
                os.environ.pop("COLUMNS", None)
                termios.tcsetwinsize(0, (50, columns))
            # `os.environ`, as `readline` sets COLUMNS behind its back
            command = [sys.executable, "-m", "gamedsl", *arguments]
            os.execve(sys.executable, command, os.environ)
        self.before = termios.tcgetattr(self._descriptor)
        self.side = self._descriptor

    def type(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def wait_for(self, *words: str) -> str:
        """What has appeared since the last wait, up to and with one of these words."""
        deadline = time.monotonic() + PATIENCE
        while not (ends := [self.text.find(w, self._read) + len(w) for w in words
                            if w in self.text[self._read :]]):  # fmt: skip
            if not self._more(deadline):
                raise AssertionError(f"{words} does not appear in {self.text[self._read :]!r}")
        shown, self._read = self.text[self._read : min(ends)], min(ends)
        return shown

    def _more(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._descriptor], [], [], max(0, deadline - time.monotonic()))
        try:
            found = os.read(self._descriptor, 65_536) if ready else b""
        except OSError:  # the other side has gone
            found = b""
        self.text += SEQUENCES.sub("", found.decode("utf-8", "replace"))
        return bool(found)

    def end(self) -> int:
        """The exit status, when everything has been said."""
        while self._more(time.monotonic() + PATIENCE):
            pass
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self._descriptor)


@pytest.fixture
def terminal() -> Iterator[type[Terminal]]:
    opened: list[Terminal] = []

    class Opened(Terminal):
        def __init__(self, *arguments: str, columns: int = 0) -> None:
            super().__init__(*arguments, columns=columns)
            opened.append(self)

    yield Opened
    for one in opened:
        one.close()


def test_tab_completes_a_move_and_up_brings_the_last_line_back(terminal) -> None:
    play = terminal("play", "nim", "--opponent", "human")
    play.wait_for("A> ")
    play.type("take(1, 2" + TAB + "\n")
    play.wait_for("take(1, 2)")
    play.wait_for("1  | 1")
    play.wait_for("B> ")
    play.type("un" + TAB + "\n")
    play.wait_for("1  ||| 3")
    play.wait_for("A> ")
    play.type(UP + UP + "\n")
    play.wait_for("1  | 1")
    play.wait_for("B> ")
    play.type(CTRL_D)
    play.wait_for("bye")
    play.wait_for('--at "1,2"')
    assert play.end() == 0


def test_an_interrupt_leaves_the_record_and_the_terminal_as_it_was(terminal) -> None:
    play = terminal("play", "tic_tac_toe", "--opponent", "human")
    play.wait_for("X> ")
    play.type("b2\n")
    play.wait_for("O> ")
    play.type("a" + CTRL_C)
    play.wait_for('\nbye\n--at "b2"')
    play.wait_for("interrupted")
    assert play.end() == 130
    assert termios.tcgetattr(play.side)[3] == play.before[3]


def test_nim_with_undo_hint_save_and_load(terminal, tmp_path) -> None:
    file = tmp_path / "nim.json"
    play = terminal("play", "nim")
    play.wait_for("B plays by the solution: A wins")
    play.wait_for("A> ")
    play.type("hint\n")
    play.wait_for("take(1, 2) (proved best)")
    play.type("1 2\n")
    play.wait_for("B plays")
    play.wait_for("A> ")
    play.type(f"save {file}\n")
    play.wait_for("saved in")
    play.type("undo\n")
    play.wait_for("1  ||| 3")
    play.type("undo\n")
    play.wait_for("there is no move of yours to take back")
    play.type("load /no/such/file\n")
    play.wait_for("cannot be read")
    play.type(f"load {file}\n")
    play.wait_for("A to move")
    shown = play.wait_for("A> ")
    while "over" not in shown:
        play.type("hint\n")
        move = re.search(r"(take\(\d, \d\)) \(proved", play.wait_for("(proved best)"))
        play.wait_for("A> ")
        play.type(f"{move[1]}\n")
        play.wait_for("\n")
        shown = play.wait_for("A> ", "the game is over: A wins")
    assert play.end() == 0
    record = re.search(r'--at "(.*)"', play.text)[1]
    game = load("nim")
    assert game.is_terminal(read_play(game, game.initial_state(), record)[1])


def test_the_opponent_at_connect_four_takes_a_win_and_answers_a_threat(terminal) -> None:
    threat = terminal("play", "connect_four", "--at", "4 1 4 1", "--seconds", "1")
    threat.wait_for("Yellow plays by UCT")
    threat.wait_for("Red> ")
    threat.type("4\n")
    threat.wait_for("Yellow plays drop(4)")
    win = terminal("play", "connect_four", "--at", "1 4 1 4 2 4", "--seconds", "1")
    win.wait_for("Red> ")
    win.type("7\n")
    win.wait_for("Yellow plays drop(4)")
    win.wait_for("the game is over: Yellow wins")
    assert win.end() == 0


def test_chess_takes_e2e4_and_answers(terminal) -> None:
    play = terminal("play", "chess", "--seconds", "0.5")
    play.wait_for("Black plays by ")
    play.wait_for("White> ")
    play.type("e2e5\n")
    play.wait_for("legal are go(e2, e3), go(e2, e4)")
    play.type("e2e4\n")
    play.wait_for("Black plays ")
    play.wait_for("White> ")
    play.type(CTRL_D)
    play.wait_for('--at "e2e4 ')
    assert play.end() == 0


def test_hidden_cards_stay_hidden_to_the_end(terminal) -> None:
    play = terminal("play", "kuhn_poker", "--seed", "3")
    play.wait_for("Bob plays by an equilibrium, which mixes by chance: ")
    before = play.wait_for("Ann> ")
    assert re.search(r"│ [JQK] │  │ \? │", before)
    play.type("record\n")
    play.wait_for("the record tells what is hidden")
    play.wait_for("Ann> ")
    play.type(CTRL_D)
    play.wait_for("bye")
    play.end()
    assert not re.search(r"│ [JQK] │  │ [JQK] │|--at", play.text)


@pytest.mark.parametrize(("columns", "broken"), [(60, 2), (120, 0)])
def test_a_report_has_the_columns_of_its_terminal(terminal, columns: int, broken: int) -> None:
    solve = terminal("solve", "tic_tac_toe", columns=columns)
    assert solve.end() == 0
    lines = solve.text.split("\n")
    assert max(map(len, lines)) <= columns
    play = next(place for place, line in enumerate(lines) if "  best play" in line)
    behind = next(place for place, line in enumerate(lines) if "solved by" in line)
    assert behind - play - 1 == broken


def test_a_line_of_rules_stays_whole_where_colours_are_written_into_it(terminal, tmp_path) -> None:
    file = tmp_path / "long.game"
    wrong = f"    require {'at[s] == empty and ' * 3}ops"
    file.write_text(TINY.format(rule=wrong))
    solve = terminal("solve", str(file), columns=80)
    assert solve.end() == 1
    assert f"| {wrong}\n" in solve.text

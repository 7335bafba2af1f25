"""UCI (S. Meyer-Kahlen, R. Huber: Universal Chess Interface, 2006), for games with men of chess.

A program of that kind decides itself when a draw is claimed. Where the rules of the file have
ended the game in a position that still has moves, as after a third repetition, play goes on from
the position as if none had occurred before.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import tan

from gamedsl.bridges.protocols.thinking import Thinker, Thought
from gamedsl.game.game import LoadedGame
from gamedsl.game.notations.chess import ChessNotation
from gamedsl.model.errors import GameRuleError, IllegalActionError, UnsupportedGameError
from gamedsl.model.state import State

MOVES_LEFT = 30
"""Moves that the rest of the time on the clock has to suffice for."""
RESERVE = 0.05
"""Seconds of a move kept for sending the answer."""
SHORTEST = 0.01
"""Least seconds of a move."""
OTHER_NAMES = {"threecheck": "3check"}
"""Names of variants in UCI, where they are not the title without blanks and "chess"."""
STEEP = 1.5
"""Slope of the estimate in pawns by mean payoff: tan(STEEP * payoff)."""


class Uci:
    """One conversation.

    Attributes:
        is_over: whether the other program has asked for the end.
    """

    def __init__(
        self,
        game: LoadedGame,
        thinker: Thinker,
        write: Callable[[str], None],
        seconds: float,
        root: State | None = None,
    ) -> None:
        """`seconds`: the time for a move where the request sets none; `root`: the position of
        `startpos`.

        Raises UnsupportedGameError for a game without the men of chess.
        """
        if game.notation is None:
            reason = "UCI writes moves of the men of chess, on a board with such men"
            raise UnsupportedGameError(reason, "every game is played by JSON lines")
        self.is_over = False
        self._game, self._thinker, self._write, self._seconds = game, thinker, write, seconds
        self._notation: ChessNotation = game.notation
        self._root = game.initial_state() if root is None else root
        self._state: State | None = self._root

    def hear(self, line: str) -> None:
        """Answer a line."""
        command, *words = line.split() or [""]
        match command:
            case "uci":
                self._introduce()
            case "isready":
                self._write("readyok")
            case "position":
                self._finish()
                self._place(words)
            case "go":
                self._finish()
                self._go(words)
            case "stop":
                self._thinker.stop()
            case "quit":
                self._finish()
                self.is_over = True
            case "setoption":
                self._set_option(" ".join(words))
            case "d":
                self._finish()
                self._show()
            case "" | "debug" | "register" | "ucinewgame" | "ponderhit":
                pass
            case _:
                self._note(f"unknown command: {line.strip()[:80]}")

    def end(self) -> None:
        """The other program says no more: the search that still runs may end."""
        if self._thinker.is_endless:
            self._thinker.stop()
        self._thinker.wait()

    def _finish(self) -> None:
        """End a search that still runs; its answer is written."""
        self._thinker.stop()
        self._thinker.wait()

    def _note(self, text: str) -> None:
        self._write(f"info string {text}")

    def _introduce(self) -> None:
        from gamedsl.version import __version__

        variant = variant_name(self._game.name)
        self._write(f"id name gamedsl {__version__}, {self._game.name}")
        self._write("id author the authors of gamedsl")
        self._write(f"option name UCI_Variant type combo default {variant} var {variant}")
        self._write("uciok")

    def _set_option(self, text: str) -> None:
        option = re.fullmatch(r"name (.+?)(?: value (.*))?", text)
        if option is None:
            self._note("write: setoption name NAME value VALUE")
        elif option[1].lower() != "uci_variant":
            self._note(f"there is no option {option[1]}")
        elif option[2] != variant_name(self._game.name):
            self._note(f"this is {variant_name(self._game.name)}, not {option[2]}")

    def _show(self) -> None:
        if self._state is None:
            self._note("no position")
            return
        for line in self._game.show(self._state).splitlines():
            self._note(line)
        self._note(self._notation.position(self._state))

    # --- positions ------------------------------------------------------------------------------

    def _place(self, words: list[str]) -> None:
        place = words.index("moves") if "moves" in words else len(words)
        self._state = None
        try:
            if words[:1] == ["startpos"]:
                state = self._root
            elif words[:1] == ["fen"]:
                state = self._notation.state(" ".join(words[1:place]))
            else:
                self._note("write: position startpos, or: position fen FEN, then: moves ...")
                return
            for number, word in enumerate(words[place + 1 :], 1):
                state = self._alive(state)
                meant = self._notation.read(state, word)
                if len(meant) != 1:
                    self._note(f"move {number}, {word[:20]}, is not legal")
                    return
                state = self._game.result(state, meant[0])
        except (ValueError, IllegalActionError) as error:
            self._note(f"no position: {error}")
            return
        except GameRuleError as error:
            self._note(f"the rules of the game fail: {error}")
            return
        self._state = self._alive(state)

    def _alive(self, state: State) -> State:
        """The state; for a state in which the game is over by plays or clocks alone, a state with
        the same board in which play goes on."""
        if not self._game.is_terminal(state):
            return state
        board, turn, castling, passing, *rest = self._notation.position(state).split()
        checks = [field for field in rest if "+" in field]
        afresh = self._notation.state(" ".join([board, turn, castling, passing, *checks, "0", "1"]))
        return state if self._game.is_terminal(afresh) else afresh

    # --- moves ----------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> None:
        state = self._state
        if state is None or self._game.is_terminal(state):
            self._note("no position" if state is None else "the game is over")
            self._write("bestmove (none)")
            return
        self._thinker.begin(
            ((state, None),),
            self._time(words, state.turn),
            lambda thought: self._inform(state, thought),
            lambda thought: self._write(f"bestmove {self._move(state, thought)}"),
        )

    def _move(self, state: State, thought: Thought) -> str:
        assert isinstance(thought.action, int), "players take turns"
        return self._notation.uci(state, thought.action) or "0000"

    def _time(self, words: list[str], turn: int) -> float | None:
        """Seconds for a move; None for a search without end."""
        if "infinite" in words or "ponder" in words:
            return None
        numbers = {
            name: int(value)
            for name, value in pairwise(words)
            if re.fullmatch(r"-?\d{1,12}", value)
        }
        if "movetime" in numbers:
            return max(SHORTEST, numbers["movetime"] / 1000 - RESERVE)
        left = numbers.get("wb"[turn] + "time")
        if left is None:
            return self._seconds
        moves = max(1, numbers.get("movestogo", MOVES_LEFT))
        share = left / moves + 0.8 * numbers.get("wb"[turn] + "inc", 0)
        return max(SHORTEST, min(share, 0.8 * left) / 1000 - RESERVE)

    def _inform(self, state: State, thought: Thought) -> None:
        line, here = [], state
        for name in thought.line:
            action = self._game.action_named(here, name)
            text = self._notation.uci(here, action) if isinstance(action, int) else None
            if text is None:
                break
            line.append(text)
            here = self._game.result(here, action)
        score = _score(thought, state.turn, self._game.facts.utility_bounds)
        depth = max(1, len(line))
        text = f"info depth {depth}{score} nodes {thought.nodes}"
        self._write(f"{text} pv {' '.join(line or [self._move(state, thought)])}")


def variant_name(title: str) -> str:
    """The name of a variant in UCI, from the title of the game."""
    words = "".join(re.findall(r"[a-z0-9]+", title.lower()))
    short = words.removesuffix("chess") or words
    return OTHER_NAMES.get(short, short)


def _score(thought: Thought, player: int, bounds: tuple[Fraction, Fraction]) -> str:
    """The value for a player as a field of `info`, scaled from the bounds of all payoffs to -1 and
    1; "" for none."""
    if thought.value is None:
        return ""
    low, high = bounds
    payoff = float((2 * thought.value[player] - low - high) / ((high - low) or 1))
    if thought.is_final and thought.plies is not None and payoff:
        moves = (thought.plies + 1) // 2
        return f" score mate {moves if payoff > 0 else -moves}"
    pawns = tan(STEEP * max(-1.0, min(1.0, payoff)))
    return f" score cp {round(100 * pawns)}"

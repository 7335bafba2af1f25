"""`gamedsl play`: a game in the terminal, against the solution, chance, or each other.

Reads lines from standard input, so that a play can also be piped in. A line is a move as the
game names it (or its arguments alone), or one of the commands that `help` lists; where a move
has the name of a command, the move is meant, and `:help` the command.
"""

from __future__ import annotations

import sys
from random import Random

from gamedsl.cli.boundary import CommandError
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import explaining, load, start
from gamedsl.cli.opponents import Adviser, Chooser
from gamedsl.cli.options import Opponent
from gamedsl.cli.request import Request
from gamedsl.cli.score import Score
from gamedsl.game import LoadedGame
from gamedsl.game.drawing import standing
from gamedsl.model import CHANCE, SIMULTANEOUS, IllegalActionError, State
from gamedsl.reports.hidden_actions import action_as_seen
from gamedsl.reports.solutions.as_text import setting_of
from gamedsl.reports.solutions.move_values import move_values_text
from gamedsl.solvers.exact.outcomes import outcome_words
from gamedsl.source import nearest

HELP = """\
a move     as listed by `moves`; arguments alone will do: a1 for mark(a1)
moves      the moves you can make here
values     what each move leads to under best play
undo       take your last move back
board      show the position again
quit       leave (so does the end of input)"""


class _LeaveError(Exception):
    """The person has had enough."""


def run(
    request: Request,
    seat: str,
    opponent: Opponent,
    seed: int | None,
    max_positions: int,
) -> ExitCode:
    """Play one game to its end, or until the person leaves."""
    game = load(request)
    console = Console(request.quiet)
    adviser = Adviser(game, max_positions, console)
    chooser = Chooser(adviser, opponent, Random(seed), console)
    with explaining(game):
        state = start(game, request)
        table = _Table(game, adviser, chooser, console, _seats(game, seat, opponent))
        console.out(_title(game))
        try:
            table.play(state)
        except _LeaveError:
            console.out("bye")
    return ExitCode.DONE


def _title(game: LoadedGame) -> str:
    names = ", ".join(repr(player) for player in game.players)
    return f"{game.name} ({names}); type `help` for help"


def _seats(game: LoadedGame, seat: str, opponent: Opponent) -> frozenset[int]:
    """The players that the person plays."""
    players = game.players
    if opponent is Opponent.HUMAN:
        return frozenset(players)
    if not seat:
        return frozenset({0})
    for player in players:
        if repr(player).lower() == seat.lower():
            return frozenset({int(player)})
    near = nearest(seat, map(repr, players))
    hint = f"did you mean {near}?" if near else f"there are {', '.join(map(repr, players))}"
    raise CommandError(ExitCode.USAGE, f"error: there is no player {seat}; {hint}")


class _Table:
    """One play: the position, who plays whom, and the earlier positions for `undo`."""

    def __init__(
        self,
        game: LoadedGame,
        adviser: Adviser,
        chooser: Chooser,
        console: Console,
        seats: frozenset[int],
    ) -> None:
        self.game = game
        self.adviser = adviser
        self.chooser = chooser
        self.console = console
        self.seats = seats
        self.past: list[tuple[State, Score]] = []
        self.score = Score(game)

    def play(self, state: State) -> None:
        """Play from `state` to the end."""
        while not self.game.is_terminal(state):
            state = self._step(state)
        shown = self.game.show(state).removesuffix(standing(self.game.engine, state))
        self.console.out(f"\n{shown}")
        payoffs = self.game.utilities(state)
        words = outcome_words(self.game.facts.players, payoffs)
        if not self.game.facts.pays_at_the_end:
            words = f"{words}; {self.score.total_words(payoffs)}"
        self.console.out(f"the game is over: {words}")

    def _step(self, state: State) -> State:
        mover = self.game.current_player(state)
        if mover == CHANCE:
            return self._chance(state)
        if mover == SIMULTANEOUS:
            return self._all_choose(state)
        if mover not in self.seats:
            action = self.chooser.choose(state, mover)
            name = action_as_seen(self.game.model, self.game.action_name(state, action))
            self.console.out(f"{mover!r} plays {name}")
            return self._after(state, action)
        self._show(state)
        while True:
            answer = self._ask(state, mover)
            if isinstance(answer, State):
                return answer
            if answer is not None:
                self._remember(state)
                return self._after(state, answer)

    def _chance(self, state: State) -> State:
        drawn = self.chooser.draw(state)
        if not self.game.facts.has_secrets:
            self.console.out(f"chance: {self.game.action_name(state, drawn)}")
        return self._after(state, drawn)

    def _all_choose(self, state: State) -> State:
        """Everybody chooses before anything is told."""
        self._show(state)
        chosen = []
        for player in self.game.players:
            if player not in self.seats:
                chosen.append(self.chooser.choose(state, player))
                continue
            answer = None
            while not isinstance(answer, int):
                answer = self._ask(state, player)
                if isinstance(answer, State):
                    return answer
            chosen.append(answer)
        self._remember(state)
        joint = tuple(chosen)
        self.console.out(f"all chose: {self.game.action_name(state, joint)}")
        return self._after(state, joint)

    def _after(self, state: State, action: int | tuple[int, ...]) -> State:
        """Carry out an action or what chance has drawn; what it pays is added up and told."""
        after = self.game.result(state, action)
        told = self.score.add(state, action, after)
        if told:
            self.console.out(told)
        return after

    def _remember(self, state: State) -> None:
        self.past.append((state, self.score))
        self.score = self.score.copied()

    def _ask(self, state: State, player: int) -> int | State | None:
        """One line of input: the action chosen, the state to go back to, or neither."""
        line = _read_line(f"{self.game.players[player]!r}> ")
        if not line:
            return None
        try:
            return self.game.action_named(state, line, self._asked(state, player))
        except IllegalActionError as refusal:
            return self._command(line.removeprefix(":"), state, player, str(refusal))

    def _command(self, word: str, state: State, player: int, refusal: str) -> State | None:
        match word.lower():
            case "quit" | "exit" | "q":
                raise _LeaveError
            case "help" | "?":
                self.console.out(HELP)
            case "moves":
                self.console.out(" ".join(self._moves(state, player)))
            case "values":
                self.console.out(self._values(state))
            case "board":
                self._show(state)
            case "undo" if self.past:
                before, self.score = self.past.pop()
                return before
            case "undo":
                self.console.out("there is no move of yours to take back")
            case _:
                self.console.out(refusal)
        return None

    def _values(self, state: State) -> str:
        solution = self.adviser.about(state)
        if solution is None:
            return f"the values are not known: {self.adviser.why_not}"
        mover = self.game.current_player(state)
        setting = setting_of(solution, mover, self.game.model.board)
        return move_values_text(solution.moves_at(state), setting)

    def _moves(self, state: State, player: int) -> list[str]:
        actions = self.game.legal_actions(state, self._asked(state, player))
        return [self.game.action_name(state, action) for action in actions]

    def _asked(self, state: State, player: int) -> int | None:
        return player if self.game.current_player(state) == SIMULTANEOUS else None

    def _show(self, state: State) -> None:
        mover = self.game.current_player(state)
        viewer = mover if mover in self.seats else min(self.seats)
        text = self.game.show(state, viewer)
        self.console.out(f"\n{text}\n")


def _read_line(prompt: str) -> str:
    """The next line of standard input, echoed where no terminal does so."""
    if sys.stdin.isatty():
        try:
            return input(prompt).strip()
        except EOFError:
            raise _LeaveError from None
    line = sys.stdin.readline()
    if not line:
        raise _LeaveError
    Console().out(prompt + line.strip())
    return line.strip()

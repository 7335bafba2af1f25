"""`gamedsl play`: a game in the terminal, against the computer, against chance, or between people.

A line is a move in the usual notation (decision 31), or a command listed by `help`; if a move has
the name of a command, the name means the move and `:help` the command. Lines may also be piped in.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from random import Random

from gamedsl.cli.asked.plays import PlayOptions
from gamedsl.cli.boundary import CommandError, wrong_usage
from gamedsl.cli.console import Console, uses_colour
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import beginning, explaining, load
from gamedsl.cli.opponents import AUTO, HUMAN, Chooser
from gamedsl.cli.output import write_file
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.prompt import LeaveError, Prompt
from gamedsl.cli.request import Request
from gamedsl.cli.saved import Saved, opening_for, solution_at
from gamedsl.cli.table import BadRecordError, Table, saved_play
from gamedsl.game import LoadedGame
from gamedsl.game.drawing import standing
from gamedsl.game.pictures.tints import tint_of, tinted
from gamedsl.game.reading import Step
from gamedsl.game.writing import in_notation, is_told_in_notation
from gamedsl.model import CHANCE, SIMULTANEOUS, IllegalActionError, State, UnsupportedGameError
from gamedsl.model.action_names import short_name
from gamedsl.reports.hidden_actions import action_as_seen
from gamedsl.reports.outcomes import outcome_words
from gamedsl.reports.paragraphs import labelled, listed
from gamedsl.reports.solutions.advice import advice_words
from gamedsl.reports.solutions.as_text import setting_of
from gamedsl.reports.solutions.move_values import ground_of, move_values_text
from gamedsl.reports.solutions.policy import worth_words
from gamedsl.solvers.advice.counsel import Counsel
from gamedsl.source import nearest

HELP = """\
a move       as listed by `moves`, or its arguments alone: a1, e2e4, 1 3
moves        the legal moves
hint         a suggested move
values       the result of each move under best play, if known
undo         take your last move back
board        show the position again
record       the moves so far, in the notation of --at
save FILE    save the play, for load FILE; FILE.pgn has headers
quit         leave (also Ctrl-D, or the end of input)"""
COMMANDS = ("moves", "hint", "values", "undo", "board", "record", "save ", "load ", "help", "quit")


def run(request: Request, options: PlayOptions) -> ExitCode:
    """Play a game to the end, or until the user leaves."""
    game = load(request)
    if options.solution is None:
        return _play(game, None, request, options)
    with opening_for(options.solution, game) as saved:
        return _play(saved.game, saved, request, options)


def _play(
    game: LoadedGame, saved: Saved | None, request: Request, options: PlayOptions
) -> ExitCode:
    rng = Random(options.seed)
    with explaining(game):
        root, steps = beginning(game, request)
        seats = _seats(game, options.seat, options.opponent)
        position = game.result(*steps[-1]) if steps else root
        known = None if saved is None else solution_at(saved, position)
        counsel = Counsel(
            game, rng, options.time, max_positions=options.max_positions, solution=known
        )
        table = Table(game, root, steps)
        chooser = Chooser(game, counsel, options.opponent, rng)
        play = _Play(table, counsel, chooser, seats, request.quiet)
        if len(seats) == len(game.players) and options.opponent not in {AUTO, HUMAN}:
            play.console.note(f"note: nobody plays as {options.opponent}: you are the only player")
        try:
            play.begin()
            play.go_on()
        except LeaveError:
            play.leave()
        except KeyboardInterrupt:
            play.console.out("")
            play.leave()
            raise
    return ExitCode.DONE


def _seats(game: LoadedGame, seat: str, opponent: str) -> frozenset[int]:
    """The players controlled by the user."""
    players = game.players
    if opponent == HUMAN:
        return frozenset(players)
    if not seat:
        return frozenset({0})
    for player in players:
        if repr(player).lower() == seat.lower():
            return frozenset({int(player)})
    near = nearest(seat, map(repr, players))
    hint = f"did you mean {near}?" if near else f"there are {', '.join(map(repr, players))}"
    raise wrong_usage(f"there is no player {seat}; {hint}")


class _Play:
    """A play between the user and the players controlled by the computer."""

    def __init__(
        self, table: Table, counsel: Counsel, chooser: Chooser, seats: frozenset[int],
        is_quiet: bool,
    ) -> None:  # fmt: skip
        self.game = table.game
        self.table = table
        self.counsel, self.chooser = counsel, chooser
        self.console = Console()
        self.has_colours = uses_colour(sys.stdout)
        self.prompt = Prompt()
        self.seats = seats
        self.first = len(table.steps)
        """Steps that cannot be taken back."""
        self.is_quiet = is_quiet
        self._in_notation = False
        """Whether the user's last move was typed in the notation of the game: `e4` in chess."""

    def begin(self) -> None:
        """Announce the players, after all slow preparation."""
        names = ", ".join(repr(player) for player in self.game.players)
        self.console.out(f"{self.game.name} ({names}); type `help` for help")
        opponents = [repr(player) for player in self.game.players if player not in self.seats]
        if opponents:
            self._prepare()
            verb = "plays" if len(opponents) == 1 else "play"
            self.console.out(
                labelled("", f"{' and '.join(opponents)} {verb} {self.chooser.words}", 0)
            )

    def _prepare(self) -> None:
        with ProgressLine(self.chooser.preparation, self.is_quiet) as progress:
            self.chooser.prepare(self.table.history, progress)

    def go_on(self) -> None:
        """Play to the end."""
        while not self.game.is_terminal(self.table.state):
            self._step()
        state = self.table.state
        shown = self.game.show(state, last=self._last(), has_colours=self.has_colours).removesuffix(
            standing(self.game.model, self.game.engine, state)
        )
        self.console.out(f"\n{shown}")
        payoffs = self.game.utilities(state)
        facts = self.game.facts
        words = outcome_words(facts.players, payoffs, has_winners=facts.has_winners)
        if not facts.pays_at_the_end:
            words = f"{words}; {self.table.score.total_words(payoffs)}"
        self.console.out(f"the game is over: {words}")
        self._tell_record()

    def leave(self) -> None:
        """The message at an early end of play. Hidden information stays hidden."""
        self.console.out("bye")
        if len(self.table.steps) > self.first:
            self._tell_record()

    def _tell_record(self) -> None:
        self.console.out(self._record())

    def _record(self) -> str:
        if self.game.facts.has_secrets and not self.game.is_terminal(self.table.state):
            return "the record tells what is hidden; `save FILE` keeps it"
        return f'--at "{self.table.record}"'

    def _step(self) -> None:
        state = self.table.state
        mover = self.game.current_player(state)
        if mover == CHANCE:
            self._chance(state)
        elif mover == SIMULTANEOUS:
            self._all_choose(state)
        elif mover in self.seats:
            self._show()
            action = self._ask(mover)
            if action is not None:
                self._make(action)
        else:
            action = self.chooser.choose(self.table.history, mover)
            notated = in_notation(self.game, state, action) if self._in_notation else None
            name = notated or self.game.action_name(state, action)
            if self.game.facts.has_secrets:
                name = action_as_seen(self.game.model, name)
            self.console.out(f"{self._name(mover)} plays {name}")
            self._make(action)

    def _chance(self, state: State) -> None:
        drawn = self.chooser.draw(state)
        if not self.game.facts.has_secrets:
            self.console.out(f"chance: {self.game.action_name(state, drawn)}")
        self._make(drawn)

    def _all_choose(self, state: State) -> None:
        """All players choose before a choice is shown."""
        self._show()
        chosen = []
        for player in self.game.players:
            action: int | None
            if player in self.seats:
                action = self._ask(player)
                if action is None:
                    return
            else:
                action = self.chooser.choose(self.table.history, player)
            chosen.append(action)
        joint = tuple(chosen)
        self.console.out(f"all chose: {self.game.action_name(state, joint)}")
        self._make(joint)

    def _make(self, action: int | tuple[int, ...]) -> None:
        self.table.make(action)
        if self.table.told:
            self.console.out(self.table.told)

    # --- what the person types -------------------------------------------------------------

    def _ask(self, player: int) -> int | None:
        """The chosen action; None if the user switched to a different play."""
        table = self.table
        while self.table is table:
            line = self.prompt.ask(
                f"{self.game.players[player]!r}> ", lambda: self._completions(player)
            )
            if not line:
                continue
            try:
                action = self.game.action_named(table.state, line, self._asked(player))
                assert isinstance(action, int), "one player is asked"
                self._in_notation = is_told_in_notation(self.game, [(table.state, action)], line)
                return action
            except IllegalActionError as refusal:
                word, _, rest = line.removeprefix(":").partition(" ")
                commands = self._commands(player)
                command = commands.get(word.lower())
                if command is not None:
                    command(rest.strip())
                else:
                    meant, said = nearest(word.lower(), commands), str(refusal)
                    if meant is not None and "did you mean" not in said:
                        said = f"`{word}` is no move here; did you mean `{meant}`?"
                    self.console.out(labelled("", said, 0))
        return None

    def _commands(self, player: int) -> dict[str, Callable[[str], None]]:
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.console.out(HELP),
            "moves": lambda _: self.console.out(labelled("", listed(self._moves(player)), 0)),
            "hint": lambda _: self.console.out(self._hint(player)),
            "values": lambda _: self.console.out(self._values(player)),
            "undo": lambda _: self._undo(),
            "board": lambda _: self._show(),
            "record": lambda _: self._tell_record(),
            "save": self._save,
            "load": self._load,
            "quit": self._quit,
        }
        return commands | {"?": commands["help"], "q": self._quit, "exit": self._quit}

    def _completions(self, player: int) -> Iterator[str]:
        moves = self._moves(player)
        yield from COMMANDS
        yield from moves
        shorts = [short_name(move) for move in moves]
        run_together = Counter(short.replace(",", "") for short in shorts)
        yield from (short for short, number in run_together.items() if number == 1)
        yield from shorts

    def _moves(self, player: int) -> list[str]:
        state = self.table.state
        actions = self.game.legal_actions(state, self._asked(player))
        return [self.game.action_name(state, action) for action in actions]

    def _hint(self, player: int) -> str:
        state = self.table.state
        try:
            advice = self.counsel.advise(self.table.history)
        except UnsupportedGameError as refusal:
            return labelled("", f"no hint: {refusal.reason}", 0)
        return labelled("", advice_words(self.game, advice, state, player), 0)

    def _values(self, player: int) -> str:
        state = self.table.state
        informed = self.counsel.informed(self.table.history, player)
        if informed is not None:
            return labelled("", worth_words(informed, repr(self.game.players[player])), 0)
        solution = self.counsel.known(self.table.history)
        if solution is None:
            return labelled("", f"the values are not known: {self.counsel.why_unsolved}", 0)
        mover = self.game.current_player(state)
        ground = ground_of(self.game, state)
        setting = setting_of(solution, mover, ground, has_colours=self.has_colours)
        return move_values_text(solution.moves_at(state), setting)

    def _undo(self) -> None:
        """Return to the state before the user's last move."""
        for count in range(len(self.table.steps) - 1, self.first - 1, -1):
            state, _ = self.table.steps[count]
            mover = self.game.current_player(state)
            if mover in self.seats or mover == SIMULTANEOUS:
                self.table = Table(self.game, self.table.root, self.table.steps[:count])
                return
        self.console.out("there is no move of yours to take back")

    def _save(self, file: str) -> None:
        if not file:
            self.console.out("write `save FILE`")
            return
        try:
            write_file(Path(file), self.table.saved(Path(file), self._headers()))
        except CommandError as failure:
            self.console.out(failure.message)
            return
        self.console.out(f"saved in {file}")

    def _headers(self) -> dict[str, str]:
        """Who plays, and when."""
        other = self.chooser.name
        seated = {p.name: "?" if p in self.seats else other for p in self.game.players}
        return {**seated, "Date": f"{date.today():%Y.%m.%d}"}

    def _load(self, file: str) -> None:
        if not file:
            self.console.out("write `load FILE`")
            return
        try:
            self.table = saved_play(self.game, Path(file))
        except BadRecordError as failure:
            self.console.out(str(failure))
            return
        self.first = 0
        self._prepare()

    def _quit(self, _: str) -> None:
        raise LeaveError

    def _asked(self, player: int) -> int | None:
        return player if self.game.current_player(self.table.state) == SIMULTANEOUS else None

    def _show(self) -> None:
        state = self.table.state
        mover = self.game.current_player(state)
        viewer = mover if mover in self.seats else min(self.seats)
        shown = self.game.show(state, viewer, self._last(), has_colours=self.has_colours)
        self.console.out(f"\n{shown}\n")

    def _name(self, player: int) -> str:
        """The player's name, in the colour of the player's pieces."""
        names = tuple(side.name for side in self.game.players)
        return tinted(names[player], tint_of(names, player) if self.has_colours else "")

    def _last(self) -> Step | None:
        """The last step, for a mark on the board; None in games with secrets."""
        steps = self.table.steps
        return None if self.game.facts.has_secrets or not steps else steps[-1]

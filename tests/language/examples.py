"""The language by example: programs in Markdown that say in comments what is true of them.

In: a page. Out: its programs, and for each the claims that do not hold, with their lines.

A program is a fenced block `gamedsl`. Comments in it are claims:

    left -= n          # error: E3001 can reach -1     a finding here, its code and part of its text
    n = 1.5            # error: E1108 # hint: `3/2`    the same, and part of its hint
    # error anywhere: E3003 no legal move              a finding about no line in particular
    # play: take(2), take(1)                           these actions from the start, one by one
    # then left: 3                                     the value of a cell afterwards
    # then turn: B                                     who moves: a player, chance, all, or nobody
    # then legal: take(1), take(2)                     all actions, by name
    # then illegal: take(3)
    # then chance: die=1 1/6, die=2 5/6                all outcomes with their weights
    # then payoffs: 1, -1                              the game is over
    # then rewards take(1): 2, -1                      what an action (or an outcome) pays at once
    # then fails take(1): E3001 can reach              the rules break down there

Where all choose at once, their choices are joined by `&`. `# play: nothing` is the start. A
program must have the errors and warnings that are marked, and no other; notes may be marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gamedsl.conformance import broken_laws, explore
from gamedsl.game import LoadedGame, load_source, read_program
from gamedsl.model import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    GameRuleError,
    State,
    check,
    check_most_players,
)
from gamedsl.model.values import text_of
from gamedsl.source import Diagnostic, Severity, SourceFile

FENCE = re.compile(r"^```gamedsl\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"# (error|warning|note)( anywhere)?: ([EW]\d{4})([^#\n]*)(?:# hint: ([^#\n]*))?")
PLAY = re.compile(r"^# play: (.*)$")
THEN = re.compile(r"^# then ([^:]+(?:\[[^\]]*\])?): (.*)$")
WHO = {CHANCE: "chance", SIMULTANEOUS: "all", TERMINAL: "nobody"}


@dataclass(frozen=True)
class Example:
    """A program of a page; `line` is where it begins there."""

    page: Path
    line: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.line}"


@dataclass(frozen=True)
class Claim:
    """What a comment says about the position that a play leads to."""

    line: int
    play: str
    what: str
    value: str


def examples(page: Path) -> list[Example]:
    """The programs of a page."""
    text = page.read_text("utf-8")
    return [
        Example(page, text.count("\n", 0, found.start(1)) + 1, found.group(1))
        for found in FENCE.finditer(text)
    ]


def complaints(example: Example, *, max_positions: int = 2_000, engine: str = "auto") -> list[str]:
    """What the comments of a program claim and does not hold."""
    source = SourceFile(example.place, example.text)
    program, wrong = read_program(source)
    model, more = check(program)
    if model is not None:
        more += check_most_players(program, model, {})
    found = [*wrong, *more]
    game = None
    if not any(one.is_error for one in found):
        game = load_source(source, {}, engine=engine)
        found += explore(game, max_positions=max_positions, plays=5).diagnostics
    said = [*_unmarked(example, found)]
    if game is not None:
        said += _failed_claims(example, game)
        said += [f"{example.place}: {law.law}: {law.message}" for law in _laws(game)]
    elif any(True for _ in claims(example)):
        said.append(f"{example.place}: claims about a program that cannot be loaded")
    return said


# --- findings ----------------------------------------------------------------------------------


def marks(text: str) -> Iterator[tuple[int | None, str, str, str, str]]:
    """The marked findings: line (None: anywhere), severity, code, parts of message and hint."""
    for number, line in enumerate(text.splitlines(), 1):
        for severity, anywhere, code, part, hint in MARK.findall(line):
            yield None if anywhere else number, severity, code, part.strip(), hint.strip()


def _unmarked(example: Example, found: list[Diagnostic]) -> Iterator[str]:
    left = list(found)
    for line, severity, code, part, hint in marks(example.text):
        fits = [
            one
            for one in left
            if (one.code, str(one.severity)) == (code, severity)
            and part in one.message
            and hint in (one.hint or "")
            and (line is None) == (one.position is None or one.primary is None)
            and (line is None or one.position is None or one.position[0] == line)
        ]
        if not fits:
            where = example.line + (line or 1) - 1
            yield f"{example.page.name}:{where}: no {severity} {code} {part!r} here"
        else:
            left.remove(fits[0])
    for one in left:
        if one.severity is not Severity.NOTE:
            where = example.line + (one.position[0] if one.position else 1) - 1
            yield f"{example.page.name}:{where}: unmarked {one.severity} {one.code} {one.message}"


# --- claims ------------------------------------------------------------------------------------


def claims(example: Example) -> Iterator[Claim]:
    """The `then` comments, each with the play it is about."""
    play = "nothing"
    for number, line in enumerate(example.text.splitlines(), 1):
        if found := PLAY.match(line):
            play = found.group(1)
        elif found := THEN.match(line):
            yield Claim(number, play, found.group(1), found.group(2).strip())


def _failed_claims(example: Example, game: LoadedGame) -> Iterator[str]:
    for claim in claims(example):
        try:
            met = observe(game, after(game, claim.play), claim)
        except (ValueError, GameRuleError) as error:
            met = f"{type(error).__name__}: {error}"
        if met != claim.value and not (claim.what.startswith("fails") and claim.value in met):
            where = f"{example.page.name}:{example.line + claim.line - 1}"
            yield f"{where}: {claim.what} is {met!r}, not {claim.value!r}"


def after(game: LoadedGame, play: str) -> State:
    """The state that a play leads to."""
    state = game.initial_state()
    names = [] if play == "nothing" else re.split(r",\s+(?![^(]*\))", play)
    for name in names:
        state = step(game, state, name)
    return state


def step(game: LoadedGame, state: State, name: str) -> State:
    """The state after an action, an outcome of chance, or choices joined by `&`."""
    parts = [part.strip() for part in name.split("&")]
    if len(parts) == 1 and game.current_player(state) != SIMULTANEOUS:
        return game.result(state, game.action_named(state, name))
    chosen = tuple(game.action_named(state, part, n) for n, part in enumerate(parts))
    return game.result(state, chosen)


def observe(game: LoadedGame, state: State, claim: Claim) -> str:
    """What is really so in a state, in the words of a claim."""
    match claim.what.split():
        case ["turn"]:
            player = game.current_player(state)
            return WHO.get(player, player.name)
        case ["legal"]:
            return ", ".join(game.action_name(state, a) for a in game.legal_actions(state))
        case ["illegal"]:
            return _refused(game, state, claim.value)
        case ["chance"]:
            shares = game.chance_outcomes(state)
            return ", ".join(f"{game.action_name(state, o)} {share}" for o, share in shares)
        case ["payoffs"]:
            return ", ".join(str(share) for share in game.utilities(state))
        case ["rewards", *action]:
            return _paid(game, state, " ".join(action))
        case ["fails", *action]:
            return _failure(game, state, " ".join(action))
        case _:
            return cell(game, state, claim.what)


def _refused(game: LoadedGame, state: State, names: str) -> str:
    legal = {game.action_name(state, action) for action in game.legal_actions(state)}
    refused = [name for name in re.split(r",\s+(?![^(]*\))", names) if name not in legal]
    return ", ".join(refused)


def _paid(game: LoadedGame, state: State, name: str) -> str:
    parts = [game.action_named(state, part.strip(), n) for n, part in enumerate(name.split("&"))]
    try:
        return ", ".join(
            map(str, game.rewards(state, parts[0] if len(parts) == 1 else tuple(parts)))
        )
    except GameRuleError as error:
        return f"{error.code} {error.message}"


def _failure(game: LoadedGame, state: State, name: str) -> str:
    try:
        step(game, state, name)
    except GameRuleError as error:
        return f"{error.code} {error.message}"
    return "carried out"


def cell(game: LoadedGame, state: State, name: str) -> str:
    """The value of a cell by its name: `left`, `cell[a1]`, `a[1, 2]`."""
    for variable in game.model.variables:
        for number in range(variable.size):
            if variable.cell_name(number) == name:
                digit = state.cells[variable.offset + number]
                return "unset" if digit is None else text_of(variable.domain.values[digit])
    raise ValueError(f"there is no cell `{name}`")


def _laws(game: LoadedGame) -> tuple[object, ...]:
    try:
        return broken_laws(game, [game.initial_state()])
    except GameRuleError:
        return ()

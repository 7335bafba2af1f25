"""Games in GDL, played in lockstep with clingo.

In: a file and the number of a play. Out: the play, and the first difference. In every state clingo
is given the rules and the fluents that hold, and tells the legal moves of every role, whether play
is over, the goals, and, with the moves chosen, the next fluents. Rules that have no meaning there,
a role without a legal move or without exactly one goal, end the play with a note.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import clingo

from gamedsl.game.loading import load
from gamedsl.model import GameSourceError, State
from gamedsl.model.values import text_of
from gamedsl.source import read_source
from gamedsl.syntax.kif.program import Translation, read_kif
from tests.peers.played import Played

FOLDER = next(
    (
        folder / "shared" / "ggp"
        for folder in Path(__file__).resolve().parents
        if (folder / "shared" / "ggp").is_dir()
    ),
    Path("shared/ggp"),
)
"""The collection, beside a checkout or above it."""
MOST_PLIES = 400
TURN = -1
"""The place of a fluent that says who is to move."""
VARIANTS = sorted(path.stem for path in FOLDER.glob("*.kif"))
Answer = dict[str, list[tuple[str, ...]]]
"""Of each relation the arguments."""
Tree = Any
"""A word, or a list of trees."""


def trees(text: str) -> list[Tree]:
    """The expressions of a text."""
    stack: list[list[Tree]] = [[]]
    for word in re.findall(r";[^\n]*|[()]|[^\s();]+", text.lower()):
        if word == "(":
            stack.append([])
        elif word == ")":
            closed = stack.pop()
            stack[-1].append(closed)
        elif word[0] != ";":
            stack[-1].append(word)
    return stack[0]


def _word(text: str) -> str:
    """A name for clingo."""
    return "".join(c if c.isalnum() and c.isascii() else f"_{ord(c):x}_" for c in text)


def term(tree: Tree) -> str:
    """A term for clingo."""
    if isinstance(tree, str):
        return f"V{_word(tree[1:])}" if tree[0] == "?" else f"c_{_word(tree)}"
    if len(tree) == 1:
        return term(tree[0])
    return f"c_{_word(tree[0])}({','.join(map(term, tree[1:]))})"


def atom(tree: Tree) -> str:
    """An atom for clingo."""
    name, *rest = [tree] if isinstance(tree, str) else tree
    return f"p_{_word(name)}" + (f"({','.join(map(term, rest))})" if rest else "")


def conditions(tree: Tree, wanted: bool = True) -> list[list[str]]:
    """The alternatives of a condition, each a list of literals."""
    head = tree[0] if isinstance(tree, list) else ""
    if head == "not":
        return conditions(tree[1], not wanted)
    if head in ("or", "and"):
        parts = [conditions(part, wanted) for part in tree[1:]]
        if (head == "or") == wanted:
            return [body for part in parts for body in part]
        return [[literal for body in one for literal in body] for one in product(*parts)]
    if head == "distinct":
        return [[f"{term(tree[1])} {'!=' if wanted else '='} {term(tree[2])}"]]
    return [[atom(tree) if wanted else f"not {atom(tree)}"]]


def program(text: str) -> str:
    """The rules of a file for clingo."""
    lines = []
    for tree in trees(text):
        if isinstance(tree, list) and tree[0] == "<=":
            for bodies in product(*(conditions(part) for part in tree[2:])):
                body = ", ".join(literal for part in bodies for literal in part)
                lines.append(f"{atom(tree[1])} :- {body}." if body else f"{atom(tree[1])}.")
        else:
            lines.append(f"{atom(tree)}.")
    shown = ("legal/2", "terminal/0", "goal/2", "next/1", "init/1", "role/1")
    lines += [f"#show p_{name}." for name in shown]
    lines += [f"#defined p_{name}." for name in ("true/1", "does/2", *shown)]
    return "\n".join(lines)


class Peer:
    """The rules of a file, asked of clingo."""

    def __init__(self, text: str) -> None:
        self.text = program(text)

    def ask(self, fluents: Sequence[str], moves: Sequence[tuple[str, str]] = ()) -> Answer:
        """All that follows from fluents and moves, by relation."""
        facts = "".join(f"p_true({fluent}). " for fluent in fluents)
        facts += "".join(f"p_does({role},{move}). " for role, move in moves)
        control = clingo.Control(["--warn=none"])
        control.add("base", [], self.text + "\n" + facts)
        control.ground([("base", [])])
        found: Answer = defaultdict(list)
        with control.solve(yield_=True) as handle:
            for model in handle:
                for symbol in model.symbols(shown=True):
                    found[symbol.name[2:]].append(tuple(map(str, symbol.arguments)))
        return found


def _tree(written: Any) -> Tree:
    """A term of the translation as a tree."""
    return written if isinstance(written, str) else [_tree(part) for part in written]


class Lockstep:
    """A file, loaded here, and the same file with clingo."""

    def __init__(self, path: Path) -> None:
        self.game = load(path)
        source = read_source(path)
        read: Translation = read_kif(source)  # type: ignore[arg-type]
        self.read = read
        self.peer = Peer(path.read_text("utf-8"))
        cells = {
            variable.cell_name(number): (
                variable.offset + number,
                {text_of(value): digit for digit, value in enumerate(variable.domain.values)},
            )
            for variable in self.game.model.variables
            for number in variable.cells
        }
        players = {player.name: number for number, player in enumerate(self.game.players)}
        cells["turn"] = TURN, players
        self.fluents = {
            term(_tree(fluent)): (cells[name][0], cells[name][1][value])
            for (name, value), fluent in read.fluents.items()
        }
        self.moves = {name: term(_tree(move)) for name, move in read.moves.items()}
        self.order = [term(_tree(role)) for role in read.roles]

    def holding(self, state: State) -> set[str]:
        """The fluents that hold in a state."""
        return {
            fluent
            for fluent, (cell, digit) in self.fluents.items()
            if (state.turn if cell == TURN else state.cells[cell]) == digit
        }

    def play(self, number: int) -> Played:
        """A play at random, compared state by state."""
        random, game = Random(number), self.game
        state = game.initial_state()
        expected = {fluent for (fluent,) in self.peer.ask(())["init"]}
        for ply in range(MOST_PLIES):
            if self.holding(state) != expected:
                return self._differs(ply, "fluents", self.holding(state), expected)
            told = self.peer.ask(sorted(expected))
            if game.is_terminal(state) != bool(told["terminal"]):
                return self._differs(ply, "end", game.is_terminal(state), bool(told["terminal"]))
            if told["terminal"]:
                return self._paid(ply, state, told)
            legal = {
                role: {move for who, move in told["legal"] if who == role} for role in self.order
            }
            if not all(legal.values()):
                return Played(ply, "a role without a legal move", Counter())
            difference, state, chosen = self._step(ply, state, legal, random)
            if difference is not None:
                return difference
            expected = {fluent for (fluent,) in self.peer.ask(sorted(expected), chosen)["next"]}
        return Played(MOST_PLIES, f"{MOST_PLIES} plies", Counter())

    def _step(
        self, ply: int, state: State, legal: dict[str, set[str]], random: Random
    ) -> tuple[Played | None, State, list[tuple[str, str]]]:
        game = self.game
        chosen = {role: random.choice(sorted(moves)) for role, moves in legal.items()}
        if self.read.is_sequential:
            mover = game.current_player(state)
            ours = self._named(state, None)
            for player, role in enumerate(self.order):
                theirs = legal[role]
                if player == mover and {*ours} != theirs:
                    return self._differs(ply, f"moves of {role}", {*ours}, theirs), state, []
                if player != mover and len(theirs) > 1:
                    return self._differs(ply, f"turn, {role}", {}, theirs), state, []
            state = game.result(state, ours[chosen[self.order[mover]]])
            return None, state, [*chosen.items()]
        joint = []
        for player, role in enumerate(self.order):
            who = player if len(self.order) > 1 else None
            ours = self._named(state, who)
            if {*ours} != legal[role]:
                return self._differs(ply, f"moves of {role}", {*ours}, legal[role]), state, []
            joint.append(ours[chosen[role]])
        state = game.result(state, tuple(joint) if len(joint) > 1 else joint[0])
        state = game.result(state, game.legal_actions(state)[0])
        return None, state, [*chosen.items()]

    def _named(self, state: State, player: int | None) -> dict[str, int]:
        actions = (
            self.game.legal_actions(state)
            if player is None
            else self.game.legal_actions(state, player)
        )
        return {self.moves[self.game.action_name(state, action)]: action for action in actions}

    def _paid(self, ply: int, state: State, told: Answer) -> Played:
        goals = {role: [goal for who, goal in told["goal"] if who == role] for role in self.order}
        if any(len(values) != 1 for values in goals.values()):
            return Played(ply, "a role without exactly one goal", Counter())
        theirs = [goals[role][0] for role in self.order]
        ours = [f"c_{value}" for value in self.game.utilities(state)]
        if ours != theirs:
            return self._differs(ply, "goals", ours, theirs)
        return Played(ply, "the end", Counter())

    def _differs(self, ply: int, subject: str, ours: Any, theirs: Any) -> Played:
        if isinstance(ours, set) and isinstance(theirs, set):
            ours, theirs = ours - theirs, theirs - ours
        message = f"{subject} after {ply} steps: {_short(ours)} here, {_short(theirs)} there"
        return Played(ply, "", Counter(), message)


def _short(value: Any) -> str:
    listed = sorted(value) if isinstance(value, set) else value
    return str(listed)[:200]


@cache
def lockstep(name: str) -> Lockstep:
    """A file of the collection."""
    return Lockstep(FOLDER / f"{name}.kif")


def plays(name: str, count: int) -> list[Played]:
    """Plays of a file of the collection; one play without steps for a file that is refused."""
    try:
        lockstep(name)
    except GameSourceError as error:
        return [Played(0, f"refused: {error.diagnostics[0].code}, {error.diagnostics[0].message}")]
    return [lockstep(name).play(number) for number in range(count)]

"""The rules of a game in the file's own words, sorted by the textbook functions they define.

The game's text is parsed again into `Rules`: formulas and excerpts. Conditions are rewritten with
mathematical symbols (`mathematics`), without simplification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from gamedsl.game import LoadedGame
from gamedsl.reports.explanations.endings import Endings
from gamedsl.reports.explanations.mathematics import Mathematics, names_in
from gamedsl.reports.explanations.moves import (
    action_formulas,
    application,
    effects_of,
    inside,
    result_formulas,
)
from gamedsl.reports.explanations.names import Edition, Names, names_of
from gamedsl.reports.explanations.steps import Steps, drawn
from gamedsl.reports.explanations.variables import initial_formulas, variable_formulas
from gamedsl.reports.explanations.words import words_used
from gamedsl.reports.formulas.tree import (
    Formula,
    Fraction,
    Group,
    Kind,
    Line,
    Word,
    joined,
    parenthesized,
    prose,
    row,
)
from gamedsl.source import SourceFile
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.parse import parse

_Declared = TypeVar("_Declared", bound=ast.Node)


@dataclass(frozen=True, slots=True)
class Rules:
    """Formulas and excerpts of the file; empty if the file has no such part.

    Attributes:
        names: names of functions and states.
        about: the comment at the top of the file.
        variables: the components of a state, a formula for each variable.
        state: `state:` and `setup:` as written in the file, preceded by the `def`s used for the
            first time.
        conditions: the `def`s used for the first time by conditions of legality.
        moves: moves and effects as written, with `def`s like `state`.
        initial, asked, steps, ends, guesses: the same lines as formulas: `state` and `setup`, the
            `def`s of `conditions`, the moves without a formula, `end` without UTILITY, the `def`s
            of `estimate`.
        end: the end of play as written, with `def`s like `state`.
        estimate: the `def`s used for the first time by EVAL.
        player: PLAYER(s).
        actions: ACTIONS(s), a formula for each family of moves.
        results: RESULT(s, a) of the moves expressible by a formula.
        chances: the chance events.
        rewards: the immediate rewards, a formula for each statement.
        terminal, utility: TERMINAL-TEST(s) and UTILITY(s, p).
        evaluation: EVAL.
        words: meanings of the language's words used in the formulas.
    """

    names: Names
    about: str
    variables: tuple[Line, ...]
    state: str
    conditions: str
    moves: str
    end: str
    estimate: str
    player: tuple[Line, ...]
    actions: tuple[Line, ...]
    results: tuple[Line, ...]
    chances: tuple[Line, ...]
    rewards: tuple[Line, ...]
    terminal: tuple[Line, ...]
    utility: tuple[Line, ...]
    goal: tuple[Line, ...]
    evaluation: tuple[Line, ...]
    initial: tuple[Line, ...]
    asked: tuple[Line, ...]
    steps: tuple[Line, ...]
    ends: tuple[Line, ...]
    guesses: tuple[Line, ...]
    words: tuple[str, ...]


def rules_of(game: LoadedGame, edition: Edition = Edition.THIRD) -> Rules:
    """The rules of the game, read from its source."""
    source = game.source
    program, _ = parse(source)
    declarations = program.declarations
    names = names_of(edition, frozenset(names_in(tuple(_speaking(declarations)))))
    write = Mathematics(declarations, game.model.atoms)
    quoted = _Excerpts(source, declarations)
    state = quoted.of(ast.StateDecl, ast.SetupDecl)
    conditions = quoted.definitions_of(_asked(declarations))
    moves = quoted.of(ast.MoveDecl, ast.EffectDecl)
    end = quoted.of(ast.EndDecl, ast.EndlessDecl, ast.RepeatDecl)
    estimate = quoted.definitions_of(d for d in declarations if isinstance(d, ast.EvaluateDecl))
    endings = Endings(write, names, game.facts.players)
    is_tree = game.facts.is_tree
    utility = () if is_tree else endings.utility(declarations)
    spelled = _Spelled(write, Steps(write, names, endings, game.facts.players), declarations)
    return Rules(
        names=names,
        about=_opening_comment(source),
        variables=() if is_tree else variable_formulas(game, declarations, write),
        state=state.code,
        conditions=conditions.code,
        moves=moves.code,
        end=end.code,
        estimate=estimate.code,
        player=tuple(map(Line, _player_formulas(game, declarations, names))),
        actions=_tree_actions(names) if is_tree else action_formulas(declarations, write, names),
        results=result_formulas(declarations, write, names, len(game.facts.players) == 1),
        chances=tuple(map(Line, dict.fromkeys(_chance_formulas(declarations, write)))),
        rewards=tuple(map(Line, _reward_formulas(declarations, write))),
        terminal=_tree_end(names) if is_tree else endings.terminal(declarations),
        utility=utility,
        goal=endings.goal(declarations),
        evaluation=tuple(
            Line(formula)
            for d in declarations
            if isinstance(d, ast.EvaluateDecl)
            for formula in _evaluation(d, write, names)
        ),
        initial=(*spelled.definitions(state), *spelled.beginning()),
        asked=spelled.definitions(conditions),
        steps=(*spelled.definitions(moves), *spelled.moves(len(game.facts.players) == 1)),
        ends=(*spelled.definitions(end), *(() if utility else spelled.end())),
        guesses=spelled.definitions(estimate),
        words=words_used(names_in(tuple(_speaking(declarations)))),
    )


def _speaking(declarations: Iterable[ast.Declaration]) -> Iterator[ast.Declaration]:
    """Declarations whose words are names; `state` in a `repeat` is no name."""
    return (d for d in declarations if not isinstance(d, ast.RepeatDecl | ast.ExpectDecl))


def _tree_actions(names: Names) -> tuple[Line, ...]:
    s = names.symbol
    branches = row(
        "ACTIONS(", s, ") = the branches of the node ", s, "; of ", prose("a leaf"), " {}"
    )
    return (Line(branches),)


def _tree_end(names: Names) -> tuple[Line, ...]:
    s = names.symbol
    return (Line(row(f"{names.terminal}(", s, ") ⇔ ", s, " is ", prose("a leaf"))),)


def _evaluation(declared: ast.EvaluateDecl, write: Mathematics, names: Names) -> Iterator[Formula]:
    s, player = names.symbol, Word(declared.player.text)
    yield row("EVAL(", s, ", ", player, ") = ", write.formula(declared.value))
    if declared.condition is not None:
        yield row(s, " is quiescent where ", write.formula(declared.condition))


def _opening_comment(source: SourceFile) -> str:
    """The first paragraph of the comment at the top of the file."""
    words = []
    for line in source.text.splitlines():
        if not line.startswith("#") or line.strip() == "#":
            break
        words.append(line.removeprefix("#").strip())
    return " ".join(words)


def _asked(declarations: Iterable[ast.Declaration]) -> Iterator[ast.Node]:
    """The parts of moves that determine legality."""
    for move in declarations:
        if isinstance(move, ast.MoveDecl):
            yield from move.parameters
            asking = (ast.Require, ast.RequireGreatest, ast.Ensure, ast.Let)
            yield from (node for node in inside(move.body, {}) if isinstance(node, asking))


@dataclass(frozen=True, slots=True)
class _Excerpt:
    """Lines of the file, and the `def`s among them."""

    code: str
    definitions: tuple[ast.DefDecl, ...]


class _Excerpts:
    """Declarations as in the file, each `def` once and before the first use."""

    def __init__(self, source: SourceFile, declarations: tuple[ast.Declaration, ...]) -> None:
        self._source = source
        self._declarations = declarations
        self._waiting = {d.name.text: d for d in declarations if isinstance(d, ast.DefDecl)}

    def of(self, *kinds: type[ast.Node]) -> _Excerpt:
        """The declarations of these kinds, preceded by the `def`s used for the first time."""
        chosen = [node for node in self._declarations if isinstance(node, kinds)]
        used = self.definitions_of(chosen)
        parts = [used.code, *(self._lines_of(node) for node in chosen)]
        return _Excerpt("\n".join(part for part in parts if part), used.definitions)

    def definitions_of(self, users: Iterable[ast.Node]) -> _Excerpt:
        """The `def`s used directly or indirectly, unless already given."""
        wanted: set[str] = set()
        new = {name for node in users for name in names_in(node)} & self._waiting.keys()
        while new:
            wanted |= new
            behind = {name for text in new for name in names_in(self._waiting[text].value)}
            new = behind & self._waiting.keys() - wanted
        used = tuple(self._waiting.pop(name) for name in list(self._waiting) if name in wanted)
        return _Excerpt("".join(map(self._lines_of, used)), used)

    def _lines_of(self, node: ast.Node) -> str:
        """The whole lines of a declaration."""
        text = self._source.text
        begin = text.rfind("\n", 0, node.span.start) + 1
        end = text.find("\n", max(node.span.start, node.span.end - 1))
        return text[begin : end if end >= 0 else len(text)].rstrip() + "\n"


@dataclass(frozen=True, slots=True)
class _Spelled:
    """The excerpts of a file as formulas, in place of the file's own lines."""

    mathematics: Mathematics
    steps: Steps
    declarations: tuple[ast.Declaration, ...]

    def definitions(self, excerpt: _Excerpt) -> tuple[Line, ...]:
        """`at(p, r) = r`, or with ⇔ for conditions, for each `def`."""
        return tuple(map(self._definition, excerpt.definitions))

    def _definition(self, declared: ast.DefDecl) -> Line:
        write = self.mathematics
        name, names = declared.name.text, [p.text for p in declared.parameters]
        head = application(name, names) if names else Word(name)
        is_truth = write.is_truth(declared.value)
        return Line(row(head, " ⇔ " if is_truth else " = ", write.formula(declared.value)))

    def beginning(self) -> tuple[Line, ...]:
        """The first values of the variables, and the steps of `setup`."""
        setups = self._all(ast.SetupDecl)
        lines = [*initial_formulas(self.declarations, self.mathematics)]
        if setups:
            lines.append(Line(row("before play, in order:")))
        for setup in setups:
            lines += self.steps.block(setup.body, 1)
        return tuple(lines)

    def moves(self, has_one_player: bool) -> tuple[Line, ...]:
        """The steps of effects, and of moves that `result_formulas` leaves out."""
        moves = [m for m in self._all(ast.MoveDecl)
                 if not result_formulas((m,), self.mathematics, self.steps.names,
                                        has_one_player)]  # fmt: skip
        return (*self.steps.moves(moves), *self.steps.effects(self._all(ast.EffectDecl)))

    def end(self) -> tuple[Line, ...]:
        """The steps of `end`, the first outcome counts."""
        lines = [line for d in self._all(ast.EndDecl) for line in self.steps.block(d.body, 1)]
        return (Line(row("after every move, in order:")), *lines) if lines else ()

    def _all(self, kind: type[_Declared]) -> list[_Declared]:
        return [d for d in self.declarations if isinstance(d, kind)]


def _chance_formulas(
    declarations: Iterable[ast.Declaration], write: Mathematics
) -> Iterator[Formula]:
    """`roll: P(die) = 1/6 for die ∈ {1, ..., 6}`, with the name of the enclosing move."""
    effects = effects_of(declarations)
    for declaration in declarations:
        if not isinstance(declaration, ast.MoveDecl | ast.SetupDecl):
            continue
        for node in inside(declaration.body, effects):
            if isinstance(node, ast.Chance):
                yield row(_place(declaration), ": ", _event(node, write))


def _place(declaration: ast.MoveDecl | ast.SetupDecl) -> Formula:
    if isinstance(declaration, ast.SetupDecl):
        return prose("setup")
    return Word(declaration.name.text, Kind.OPERATOR)


def _event(node: ast.Chance, write: Mathematics) -> Formula:
    target = write.formula(node.target)
    match node.domain:
        case ast.Weights(pairs=pairs):
            return joined(
                ", ",
                (
                    row("P(", target, " = ", write.formula(v), ") = ", write.formula(w))
                    for v, w in pairs
                ),
            )
        case ast.WeightsBuild(key=key, weight=weight, clauses=clauses):
            likely = row("P(", target, " = ", write.formula(key), ") = ", write.formula(weight))
            return row(likely, " for ", write.quantified(clauses))
    outcomes = drawn(node, write)
    if node.weight is not None:
        return row("P(", target, ") ∝ ", write.formula(node.weight), " for ", outcomes)
    share = _share(node, write)
    if share is None:
        return row("P(", target, ") = 1 / n for the n values ", outcomes)
    return row("P(", target, ") = ", share, " for ", outcomes)


def _share(node: ast.Chance, write: Mathematics) -> Formula | None:
    """`1/6`, or one by the size of the set of outcomes; None for a set with a condition."""
    match node.domain, node.condition, node.is_subset:
        case ast.Binary(operator="..", left=ast.Number(value=low), right=ast.Number(value=high)), (
            None
        ), False:
            return row(f"1/{high - low + 1}")
        case domain, None, False:
            return Fraction(row("1"), Group("|", write.formula(domain), "|"))
    return None


def _reward_formulas(
    declarations: Iterable[ast.Declaration], write: Mathematics
) -> Iterator[Formula]:
    """`take: turn gets -n` for every reward, with the enclosing move's name and the condition."""
    effects = effects_of(declarations)
    for declaration in declarations:
        if not isinstance(declaration, ast.MoveDecl | ast.SetupDecl):
            continue
        for shares, when in _rewards(declaration.body, (), effects, write):
            gains = (row(write.formula(p), " gets ", write.formula(e)) for p, e in shares)
            condition = (" if ", joined(" ∧ ", when)) if when else ()
            yield row(_place(declaration), ": ", joined(", ", gains), *condition)


Shares = tuple[tuple[ast.Expression, ast.Expression], ...]


def _rewards(
    body: Iterable[ast.Node],
    when: tuple[Formula, ...],
    effects: dict[str, ast.EffectDecl],
    write: Mathematics,
) -> Iterator[tuple[Shares, tuple[Formula, ...]]]:
    for node in body:
        match node:
            case ast.Reward(shares=shares):
                yield shares, when
            case ast.If(branches=branches, otherwise=otherwise):
                before = when
                for condition, block in branches:
                    formula = write.formula(condition)
                    yield from _rewards(block, (*before, formula), effects, write)
                    before = (*before, row("¬", parenthesized(formula)))
                yield from _rewards(otherwise or (), before, effects, write)
            case ast.For(name=name, domain=domain, condition=condition, body=inner):
                clause = ast.Clause(node.span, name, domain, condition)
                each = row("for each ", write.quantified((clause,)))
                yield from _rewards(inner, (*when, each), effects, write)
            case ast.CallEffect(name=name) if name.text in effects:
                yield from _rewards(effects[name.text].body, when, effects, write)


def _player_formulas(
    game: LoadedGame, declarations: tuple[ast.Declaration, ...], names: Names
) -> Iterator[Formula]:
    """Formulas for the player to move.

    Facts: the first player, the turn order, and the moves that keep or give the turn.
    """
    who = row(f"{names.player}(", names.symbol, ")")
    players = game.facts.players
    if game.facts.is_tree:
        yield row(who, " = the player at the node ", names.symbol)
        return
    effects = effects_of(declarations)
    moves = [d for d in declarations if isinstance(d, ast.MoveDecl)]
    cases = [prose("chance where a chance event is due")] * game.facts.has_chance
    if all(move.is_simultaneous for move in moves):
        cases.append(prose("all players at once"))
    elif any(move.is_simultaneous for move in moves):
        cases.append(prose("all players at once where a simultaneous move is legal"))
    if not all(move.is_simultaneous for move in moves):
        mover = row(Word("turn"), prose(", a part of "), names.symbol)
        cases.append(Word(players[0], Kind.VALUE) if len(players) == 1 else mover)
    yield row(who, " = ", joined(", else ", cases))
    if len(players) == 1 or all(move.is_simultaneous for move in moves):
        return
    setup = [
        node
        for d in declarations
        if isinstance(d, ast.SetupDecl)
        for node in inside(d.body, effects)
    ]
    if any(_draws_turn(node) for node in setup):
        yield row(Word("turn"), " is drawn by chance before play begins")
    elif any(_sets_turn(node) for node in setup):
        yield row(Word("turn"), " at the beginning: as setup says")
    order = (Word(player, Kind.VALUE) for player in (*players, players[0]))
    yield row(Word("turn"), " passes ", joined(" → ", order))
    for words, decides_turn in (
        ("the same player may move again", lambda node: isinstance(node, ast.Again)),
        ("the turn is set by the move", lambda node: _draws_turn(node) or _sets_turn(node)),
    ):
        move_names = [m.name.text for m in moves if any(map(decides_turn, inside(m.body, effects)))]
        if move_names:
            these = (Word(name, Kind.OPERATOR) for name in dict.fromkeys(move_names))
            yield row("but after ", joined(", ", these), " ", prose(words))


def _draws_turn(node: ast.Node) -> bool:
    return isinstance(node, ast.Chance) and _is_turn(node.target)


def _sets_turn(node: ast.Node) -> bool:
    match node:
        case ast.Assign(target=target):
            return _is_turn(target)
        case ast.AssignAll(targets=targets):
            return any(map(_is_turn, targets))
        case _:
            return False


def _is_turn(node: ast.Node) -> bool:
    return isinstance(node, ast.Name) and node.text == "turn"

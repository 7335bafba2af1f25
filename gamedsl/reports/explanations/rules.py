"""The rules of a game in the file's own words, sorted by the textbook functions they define.

The game's text is parsed again into `Rules`: formulas and excerpts. Conditions are rewritten with
mathematical symbols (`mathematics`), without simplification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.game import LoadedGame
from gamedsl.reports.explanations.endings import Endings
from gamedsl.reports.explanations.mathematics import Mathematics, names_in
from gamedsl.reports.explanations.moves import (
    action_formulas,
    effects_of,
    inside,
    result_formulas,
)
from gamedsl.reports.explanations.names import Edition, Names, names_of
from gamedsl.reports.explanations.variables import variable_formulas
from gamedsl.reports.explanations.words import words_used
from gamedsl.source import SourceFile
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.parse import parse


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
    variables: tuple[str, ...]
    state: str
    conditions: str
    moves: str
    end: str
    estimate: str
    player: tuple[str, ...]
    actions: tuple[str, ...]
    results: tuple[str, ...]
    chances: tuple[str, ...]
    rewards: tuple[str, ...]
    terminal: tuple[str, ...]
    utility: tuple[str, ...]
    evaluation: tuple[str, ...]
    words: tuple[str, ...]


def rules_of(game: LoadedGame, edition: Edition = Edition.THIRD) -> Rules:
    """The rules of the game, read from its source."""
    source = game.source
    program, _ = parse(source)
    declarations = program.declarations
    names = names_of(edition, frozenset(names_in(tuple(_speaking(declarations)))))
    write = Mathematics(declarations, game.model.atoms)
    ends = (ast.EndDecl, ast.EndlessDecl, ast.RepeatDecl)
    quoted = _Excerpts(source, declarations)
    state = quoted.of(ast.StateDecl, ast.SetupDecl)
    conditions = quoted.definitions_of(_asked(declarations))
    moves = quoted.of(ast.MoveDecl, ast.EffectDecl)
    end = quoted.of(*ends)
    estimate = quoted.definitions_of(d for d in declarations if isinstance(d, ast.EvaluateDecl))
    endings = Endings(write, names, game.facts.players)
    is_tree = game.facts.is_tree
    return Rules(
        names=names,
        about=_opening_comment(source),
        variables=() if is_tree else variable_formulas(game, declarations, write),
        state=state,
        conditions=conditions,
        moves=moves,
        end=end,
        estimate=estimate,
        player=tuple(_player_formulas(game, declarations, names)),
        actions=_tree_actions(names) if is_tree else action_formulas(declarations, write, names),
        results=result_formulas(declarations, write, names, len(game.facts.players) == 1),
        chances=tuple(dict.fromkeys(_chance_formulas(declarations, write))),
        rewards=tuple(_reward_formulas(declarations, write)),
        terminal=_tree_end(names) if is_tree else endings.terminal(declarations),
        utility=() if is_tree else endings.utility(declarations),
        evaluation=tuple(
            formula
            for d in declarations
            if isinstance(d, ast.EvaluateDecl)
            for formula in _evaluation(d, write, names)
        ),
        words=words_used(names_in(tuple(_speaking(declarations)))),
    )


def _speaking(declarations: Iterable[ast.Declaration]) -> Iterator[ast.Declaration]:
    """Declarations whose words are names; `state` in a `repeat` is no name."""
    return (d for d in declarations if not isinstance(d, ast.RepeatDecl | ast.ExpectDecl))


def _tree_actions(names: Names) -> tuple[str, ...]:
    return (f"ACTIONS({names.s}) = the branches of the node {names.s}; of a leaf {{}}",)


def _tree_end(names: Names) -> tuple[str, ...]:
    return (f"{names.terminal}({names.s}) ⇔ {names.s} is a leaf",)


def _evaluation(declared: ast.EvaluateDecl, write: Mathematics, names: Names) -> Iterator[str]:
    yield f"EVAL({names.s}, {declared.player.text}) = {write.formula(declared.value)}"
    if declared.condition is not None:
        yield f"{names.s} is quiescent where {write.formula(declared.condition)}"


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


class _Excerpts:
    """Declarations as in the file, each `def` once and before the first use."""

    def __init__(self, source: SourceFile, declarations: tuple[ast.Declaration, ...]) -> None:
        self._source = source
        self._declarations = declarations
        self._waiting = {d.name.text: d for d in declarations if isinstance(d, ast.DefDecl)}

    def of(self, *kinds: type[ast.Node]) -> str:
        """The declarations of these kinds, preceded by the `def`s used for the first time."""
        chosen = [node for node in self._declarations if isinstance(node, kinds)]
        parts = [self.definitions_of(chosen), *(self._lines_of(node) for node in chosen)]
        return "\n".join(part for part in parts if part)

    def definitions_of(self, users: Iterable[ast.Node]) -> str:
        """The `def`s used directly or indirectly, unless already given."""
        wanted: set[str] = set()
        new = {name for node in users for name in names_in(node)} & self._waiting.keys()
        while new:
            wanted |= new
            behind = {name for text in new for name in names_in(self._waiting[text].value)}
            new = behind & self._waiting.keys() - wanted
        lines = [
            self._lines_of(self._waiting.pop(name))
            for name in list(self._waiting)
            if name in wanted
        ]
        return "".join(lines)

    def _lines_of(self, node: ast.Node) -> str:
        """The whole lines of a declaration."""
        text = self._source.text
        begin = text.rfind("\n", 0, node.span.start) + 1
        end = text.find("\n", max(node.span.start, node.span.end - 1))
        return text[begin : end if end >= 0 else len(text)].rstrip() + "\n"


def _chance_formulas(declarations: Iterable[ast.Declaration], write: Mathematics) -> Iterator[str]:
    """`roll: die ∈ {1, ..., 6}, all equally likely`, with the name of the enclosing move."""
    effects = effects_of(declarations)
    for declaration in declarations:
        if not isinstance(declaration, ast.MoveDecl | ast.SetupDecl):
            continue
        where = declaration.name.text if isinstance(declaration, ast.MoveDecl) else "setup"
        for node in inside(declaration.body, effects):
            if isinstance(node, ast.Chance):
                yield f"{where}: {_event(node, write)}"


def _event(node: ast.Chance, write: Mathematics) -> str:
    target = write.formula(node.target)
    match node.domain:
        case ast.Weights(pairs=pairs):
            return ", ".join(f"P({target} = {write.formula(v)}) = {write.formula(w)}"
                             for v, w in pairs)  # fmt: skip
        case ast.WeightsBuild(key=key, weight=weight, clauses=clauses):
            each = write.quantified(clauses)
            return f"P({target} = {write.formula(key)}) = {write.formula(weight)} for {each}"
    such = "" if node.condition is None else f" with {write.formula(node.condition)}"
    how = "all equally likely"
    if node.weight is not None:
        how = f"each with a probability in proportion to {write.formula(node.weight)}"
    sign = "⊆" if node.is_subset else "∈"
    return f"{target} {sign} {write.formula(node.domain)}{such}, {how}"


def _reward_formulas(declarations: Iterable[ast.Declaration], write: Mathematics) -> Iterator[str]:
    """`take: turn gets -n` for every reward, with the enclosing move's name and the condition."""
    effects = effects_of(declarations)
    for declaration in declarations:
        if not isinstance(declaration, ast.MoveDecl | ast.SetupDecl):
            continue
        where = declaration.name.text if isinstance(declaration, ast.MoveDecl) else "setup"
        for shares, when in _rewards(declaration.body, (), effects, write):
            gains = (f"{write.formula(p)} gets {write.formula(e)}" for p, e in shares)
            condition = f" if {' ∧ '.join(when)}" if when else ""
            yield f"{where}: {', '.join(gains)}{condition}"


Shares = tuple[tuple[ast.Expression, ast.Expression], ...]


def _rewards(
    body: Iterable[ast.Node],
    when: tuple[str, ...],
    effects: dict[str, ast.EffectDecl],
    write: Mathematics,
) -> Iterator[tuple[Shares, tuple[str, ...]]]:
    for node in body:
        match node:
            case ast.Reward(shares=shares):
                yield shares, when
            case ast.If(branches=branches, otherwise=otherwise):
                before = when
                for condition, block in branches:
                    text = write.formula(condition)
                    yield from _rewards(block, (*before, text), effects, write)
                    before = (*before, f"¬({text})")
                yield from _rewards(otherwise or (), before, effects, write)
            case ast.For(name=name, domain=domain, condition=condition, body=inner):
                clause = ast.Clause(node.span, name, domain, condition)
                each = f"for each {write.quantified((clause,))}"
                yield from _rewards(inner, (*when, each), effects, write)
            case ast.CallEffect(name=name) if name.text in effects:
                yield from _rewards(effects[name.text].body, when, effects, write)


def _player_formulas(
    game: LoadedGame, declarations: tuple[ast.Declaration, ...], names: Names
) -> Iterator[str]:
    """Formulas for the player to move.

    Facts: the first player, the turn order, and the moves that keep or give the turn.
    """
    who = f"{names.player}({names.s})"
    players = game.facts.players
    if game.facts.is_tree:
        yield f"{who} = whose node {names.s} is"
        return
    effects = effects_of(declarations)
    moves = [d for d in declarations if isinstance(d, ast.MoveDecl)]
    cases = ["chance where a chance event is due"] * game.facts.has_chance
    if all(move.is_simultaneous for move in moves):
        cases.append("all players at once")
    elif any(move.is_simultaneous for move in moves):
        cases.append("all players at once where a simultaneous move is legal")
    if not all(move.is_simultaneous for move in moves):
        cases.append(players[0] if len(players) == 1 else f"turn, a part of {names.s}")
    yield f"{who} = {', else '.join(cases)}"
    if len(players) == 1 or all(move.is_simultaneous for move in moves):
        return
    setup = [
        node
        for d in declarations
        if isinstance(d, ast.SetupDecl)
        for node in inside(d.body, effects)
    ]
    if any(_draws_turn(node) for node in setup):
        yield "turn is drawn by chance before play begins"
    elif any(_sets_turn(node) for node in setup):
        yield "turn at the beginning: as setup says"
    yield f"turn passes {' → '.join((*players, players[0]))}"
    for words, decides_turn in (
        ("the turn stays where it says `again`", lambda node: isinstance(node, ast.Again)),
        ("it says itself whose turn it is", lambda node: _draws_turn(node) or _sets_turn(node)),
    ):
        move_names = [m.name.text for m in moves if any(map(decides_turn, inside(m.body, effects)))]
        if move_names:
            yield f"but after {', '.join(dict.fromkeys(move_names))} {words}"


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

"""Conversion of a file in GDL to a program of the language, so that all tools for games apply.

In: a source. Out: the declarations of the game, and diagnostics. Each fluent becomes a truth value
of the state. A game played in turns gets a move for each move of its mover, with the moves of all
other roles put in where they are forced; `noop` is no move then. In all other games the players
choose at once, and a move `settle` works out the next state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, combinations
from math import prod
from pathlib import PurePath

from gamedsl.source import Diagnostic, Label, Severity, SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.kif.folding import Instance, folded, folded_by_turn, folded_values
from gamedsl.syntax.kif.formulas import FALSE, TRUE, formulas_of
from gamedsl.syntax.kif.functions import Change, Fall, Invariants, closed
from gamedsl.syntax.kif.gathering import word
from gamedsl.syntax.kif.ground import Atom, Ground, ground
from gamedsl.syntax.kif.merging import Merging, are_few
from gamedsl.syntax.kif.names import plain
from gamedsl.syntax.kif.outcomes import Induction, Outcomes, outcomes_of
from gamedsl.syntax.kif.parameters import Parameters
from gamedsl.syntax.kif.plays import Clash, Plays
from gamedsl.syntax.kif.quantifiers import joined
from gamedsl.syntax.kif.read import read_rules
from gamedsl.syntax.kif.rules import (
    NO_MOVE,
    SEVERAL_GOALS,
    TOO_LARGE,
    KifError,
    Term,
    is_number,
    order,
    refuse,
    text_of,
)
from gamedsl.syntax.kif.sentences import Sentences, used
from gamedsl.syntax.kif.shifting import shifted
from gamedsl.syntax.kif.steps import Game, MoveKind, Step, Steps, kinds_of
from gamedsl.syntax.kif.turns import turns_by_play, turns_of
from gamedsl.syntax.kif.validity import unknown_names, violations

MOST_EFFORT = 1_000_000
"""Formulas looked at to write each move out; otherwise a move has parameters from the outset."""
MOST_WRITTEN = 100_000
"""Formulas written in all moves, a formula once for each move; a move has parameters otherwise."""
LONG = 3_000
"""Expressions of moves beyond which moves with parameters are written for comparison."""
MOST_EXPRESSIONS = 500_000
"""Expressions of a program. The elaborator refuses fewer, later; names and numbers count here."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A program, and the terms of the file behind its names.

    Attributes:
        fluents: by the name of a cell and a value, `("cell[1, 1]", "b")`, the fluent that holds
            where the cell has the value.
        moves: by the name of a move, the term that `does` and `legal` have.
        roles: the roles of the players, in order.
        is_sequential: whether the game is played in turns.
    """

    declarations: tuple[ast.Declaration, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    fluents: Mapping[tuple[str, str], Term] = field(default_factory=dict)
    moves: Mapping[str, Term] = field(default_factory=dict)
    roles: tuple[Term, ...] = ()
    is_sequential: bool = True


def read_kif(source: SourceFile) -> Translation:
    """The program of a file in GDL, or diagnostics."""
    warnings: tuple[Diagnostic, ...] = ()
    try:
        rules = read_rules(source)
        errors = violations(source, rules)
        if errors:
            return Translation(diagnostics=errors)
        warnings = tuple(unknown_names(source, rules))
        return _Program(source, ground(source, rules)).translation(warnings)
    except KifError as error:  # that a role never moves may follow from a misspelt name
        return Translation(diagnostics=(*warnings, error.diagnostic))


class _Program:
    """Makes the declarations of a game."""

    def __init__(self, source: SourceFile, ground: Ground) -> None:
        self.source = source
        self.ground = ground
        whole = game_of(source, ground)
        self.formulas = whole.formulas
        self.turns = turns_of(ground, self.formulas, whole.following, whole.legal, whole.terminal)
        self.game = whole.without(self.turns.never)
        self._proceed()
        self.words = Sentences(ground, self.formulas, self.game.known)
        self.titles: dict[str, str] = {}
        """By relation of moves, the value of `choice`."""
        self.chosen: dict[str, dict[int, str]] = {}
        """By relation of moves and number of an argument, the variable with the argument chosen."""
        self.choosing: dict[str, dict[Term, None]] = {}
        """By such a variable, the values."""
        self.moves: dict[str, Term] = {}
        self.helpers: list[ast.DefDecl] = []

    def _proceed(self) -> None:
        """Work out the steps and the fluents that are functions; the game is played in turns if
        what its turns claim is proved."""
        game, simultaneous = self.game, self.turns
        rules = (self.ground, self.formulas, game.following, game.legal, game.terminal)
        for turns in () if simultaneous.is_sequential else turns_by_play(*rules):
            self.turns, self.game = turns, game.without(turns.never)
            self._step()
            function = self.invariants.functions.get(self.ground.atoms[min(turns.free)][0])
            if function is not None and function.is_total and len(function.groups) == 1:
                return
        self.turns, self.game = simultaneous, game
        self._step()

    def _step(self) -> None:
        self.plays = Plays(self.game)
        self.stepping = Steps(self.game, self.turns) if self.turns.is_sequential else None
        self.is_long = self.stepping is not None and self.stepping.effort > MOST_EFFORT
        self.steps: list[Step] = []
        if self.stepping is not None:
            self.steps = [] if self.is_long else self.stepping.all()
            self.is_long = self.is_long or not self.stepping.are_short(self.steps, MOST_WRITTEN)
            self.steps = self.stepping.together() if self.is_long else self.steps
        self.invariants = self._invariants(self.steps)

    def translation(self, diagnostics: tuple[Diagnostic, ...]) -> Translation:
        """The declarations, with the meaning of names."""
        written = self.words.quantifying.rewritten(self.declarations())
        named = map(self.words.names.within, shifted(written))  # type: ignore[call-overload]
        declarations: tuple[ast.Declaration, ...] = (*named,)
        size = sum(1 for _ in ast.nodes_in(declarations))
        if size > MOST_EXPRESSIONS:
            message = (
                f"written out, the rules are {size:,} expressions; at most {MOST_EXPRESSIONS:,}"
            )
            refuse(self.source, TOO_LARGE, message, self.ground.spans["next"])
        fluents = {
            self.words.cell_text(fluent): self._term(self.ground.atoms[fluent])
            for fluent in self.game.following
        }
        return Translation(
            declarations,
            diagnostics or (*self._faults(),),  # a misspelt name may be the reason of a fault
            fluents,
            self.moves,
            self.ground.roles,
            self.turns.is_sequential,
        )

    def _faults(self) -> Iterable[Diagnostic]:
        """Warnings, each with a play: a role without a legal move, a role with several goals."""
        dead_end, clash = self.plays.dead_end, self.plays.clash
        if dead_end is not None:
            role = text_of(self.ground.roles[dead_end.role])
            message = f"`{role}` has no legal move, and play is not over"
            yield self._fault(NO_MOVE, message, "legal", dead_end)
        if clash is not None:
            role = text_of(self.ground.roles[clash.role])
            goals = " and ".join(map(str, clash.goals))
            message = f"`{role}` has several goals at once, {goals}, and the least is paid"
            yield self._fault(SEVERAL_GOALS, message, "goal", clash)

    def _fault(self, code: str, message: str, relation: str, fault: Clash) -> Diagnostic:
        steps = ", ".join(" and ".join(map(self._move_text, step)) for step in fault.play)
        return Diagnostic(
            code,
            message,
            Label(self._span_of(relation)),
            self.source,
            notes=(f"after {steps}" if steps else "in the first state",),
            severity=Severity.WARNING,
        )

    def _span_of(self, relation: str) -> Span:
        """The place of the first rule of a relation, of `legal` for any move."""
        spans = self.ground.spans
        return spans.get(relation) or next(
            span for name, span in spans.items() if name.startswith(f"{relation} ")
        )

    def _move_text(self, move: int) -> str:
        relation, arguments = self.ground.atoms[move]
        return text_of(self._term((relation, arguments[1:])))

    def _term(self, atom: Atom) -> Term:
        relation, arguments = atom
        name = relation.split(" ", 1)[1]
        return (name, *arguments) if arguments else name

    def declarations(self) -> tuple[ast.Declaration, ...]:
        """All declarations."""
        words, game, ground = self.words, self.game, self.ground
        start = Span(0, 0)
        title = PurePath(self.source.name).stem.replace('"', "'") or "untitled"
        names = tuple(ast.Name(start, name) for name in words.roles.values())
        turns = self.turns
        stepping, steps, is_long = self.stepping, self.steps, self.is_long
        invariants = self.invariants
        words.use(invariants.functions, invariants.excluded, self._movers())
        state, setup = words.state(game.following)
        words.span = ground.spans["legal"]
        variables = state.variables
        if not turns.is_sequential:
            variables = (*variables, *self._choice_variables())
        definitions = words.define(game.roots)
        refined = [self._refined(step, invariants) for step in steps]
        if stepping is not None:
            moves = self._together(refined) if is_long else self._moves(refined)
            if not is_long and _size(moves) > LONG:
                together = [self._refined(step, invariants) for step in stepping.together()]
                moves = self._shorter(moves, together)
            if turns.movers[0]:
                mover = words.name([*words.roles.values()][turns.movers[0]])
                setup = (*setup, ast.Assign(start, words.name("turn"), "=", mover))
        else:
            moves = [*self._folded(dict(self._choices())), self._settle()]
        words.span = ground.spans["terminal"]
        outcomes = self._outcomes(stepping, refined, invariants)
        end = ast.EndDecl(words.span, tuple(self._end(outcomes)))
        types: list[ast.Declaration] = []
        if words.constants:
            constants = [ast.Name(start, name) for name in sorted(words.constants, key=order)]
            values = words.union(constants)
            types.append(
                ast.TypeDecl(start, ast.Name(start, words.names.of("type", "Term")), values)
            )
        setups = (ast.SetupDecl(start, words.gathering.block(setup)),) if setup else ()
        moves = self._gathered(moves)
        return (
            ast.GameTitle(start, title),
            ast.PlayersDecl(start, names),
            *types,
            ast.StateDecl(state.span, variables),
            *setups,
            *used(definitions, (*moves, end)),
            *self.helpers,
            *moves,
            end,
        )

    def _movers(self) -> dict[int, Term]:
        """The fluents that say who is to move, with the roles: no variables, since `turn` does."""
        relations: dict[str, dict[int, int | None]] = {}
        for fluent in self.game.following:
            fluents = relations.setdefault(self.ground.atoms[fluent][0], {})
            fluents[fluent] = self.turns.told_by_mover(fluent)
        for told in relations.values():
            movers = {
                fluent: self.ground.roles[role] for fluent, role in told.items() if role is not None
            }
            if len(told) == len({*movers.values()}) and len(relations) > 1:
                return movers
        return {}

    def _invariants(self, steps: list[Step]) -> Invariants:
        """The fluents that are functions."""
        game = self.game
        going = self.formulas.negation(game.terminal)
        changes = [Change(self._condition(step), dict(step.changes), going) for step in steps]
        choices = [tuple(moves) for moves in game.legal]
        changes = changes or self._at_once()
        states = self.plays.states()
        told = None if self.turns.is_by_play else self.turns
        return Invariants(
            self.ground, self.formulas, game.following, changes, choices, states, told
        )

    def _condition(self, step: Step) -> int:
        """What holds wherever a step is taken."""
        if self.stepping is None or not self.turns.is_by_play:
            return step.legal
        return self.formulas.both((step.legal, *self.stepping.known(step.role)))

    def _at_once(self) -> list[Change]:
        """The step of all roles at once."""
        return [Change(self.formulas.negation(self.game.terminal), self.game.following)]

    def _outcomes(
        self, stepping: Steps | None, refined: list[Step], invariants: Invariants
    ) -> Outcomes:
        """The goals that go together."""
        game, formulas = self.game, self.formulas
        changes = self._at_once()
        if stepping is not None:
            known = [stepping.known(role) for role in range(len(game.legal))]
            changes = [
                Change(formulas.both((step.legal, *known[step.role])), dict(step.changes))
                for step in refined
            ]
        proof = Induction(game, changes, invariants, self.plays)
        return outcomes_of(game, proof, self.words.total_groups())

    def _refined(self, step: Step, invariants: Invariants) -> Step:
        """A step with new values simplified by the functions."""
        formulas = self.formulas
        fixed = closed(formulas.fixed_by(step.legal), invariants.functions)
        put = formulas.put(
            (value for _, value in step.changes), fixed, formulas.told_by(step.legal)
        )
        changes = {
            fluent: invariants.gathered(put[value])
            for fluent, value in step.changes
            if put[value] != fixed.get(fluent, formulas.atom(fluent))
        }
        changing = invariants.refined(Change(step.legal, changes))
        return Step(step.role, step.move, step.legal, (*changing.items(),), step.movers)

    def _moves(self, steps: list[Step]) -> list[ast.MoveDecl]:
        """A move for each term that is a move of a role."""
        by_term: dict[tuple[str, tuple[Term, ...]], list[Step]] = {}
        for step in steps:
            relation, arguments = self.ground.atoms[step.move]
            by_term.setdefault((relation, arguments[1:]), []).append(step)
        mover_count = len({step.role for step in steps})
        return self._folded(
            {term: self._move(group, mover_count) for term, group in by_term.items()}
        )

    def _shorter(self, moves: list[ast.MoveDecl], steps: list[Step]) -> list[ast.MoveDecl]:
        """The moves, or moves for steps that have moves as atoms, if these are shorter."""
        terms = dict(self.moves)
        self.moves.clear()
        moves, others = self._gathered(moves), self._gathered(self._together(steps))
        written = self.words.quantifying.rewritten
        if _size(written((*others,))) < _size(written((*moves,))):  # type: ignore[arg-type]
            return others
        self.moves.clear()
        self.moves.update(terms)
        return moves

    def _gathered(self, moves: Sequence[ast.MoveDecl]) -> list[ast.MoveDecl]:
        """The moves, with loops in place of assignments that differ in constants alone."""
        return [replace(move, body=self.words.gathering.block(move.body)) for move in moves]

    def _together(self, steps: list[Step]) -> list[ast.MoveDecl]:
        """A move for each relation, with parameters on which the new values depend."""
        words, atoms = self.words, self.ground.atoms
        by_kind: dict[MoveKind, list[Step]] = {}
        for step in steps:
            by_kind.setdefault(self.game.kind_of(step.move), []).append(step)
        mover_count = len({step.role for step in steps})
        written = []
        for kind, group in by_kind.items():
            relation = str(kind[0])
            rows = {
                move: atoms[move][1][1:]
                for step in group
                for move in self.game.legal[step.role]
                if self.game.kind_of(move) == kind
            }
            if len({*rows.values()}) == 1:
                written.append(self._move(group, mover_count))
                continue
            columns = [sorted({*column}, key=order) for column in zip(*rows.values(), strict=True)]
            names = self._parameter_names(relation, len(columns))
            words.parameters = Parameters(names, rows, words)
            move = self._move(group, mover_count)
            del self.moves[move.name.text]
            within = words.parameters.within(columns, words.span)
            is_needed = not _is_true(within)
            body = (ast.Require(words.span, within), *move.body) if is_needed else move.body
            declared = tuple(
                ast.Parameter(words.span, words.name(name), words.set_of(column), None)
                for name, column in zip(names, columns, strict=True)
            )
            title = self._title(kind, rows.values())
            name = words.name(title)
            written.append(ast.MoveDecl(words.span, name, declared, False, False, body))
            words.parameters = None
        return written

    def _title(self, kind: MoveKind, terms: Iterable[tuple[Term, ...]]) -> str:
        """The name of a move with parameters; the terms of the file are noted."""
        words, name = self.words, str(kind[0]).split(" ", 1)[1]
        title = words.names.of(("moves", kind), plain((name, *kind[1:])))
        for arguments in terms:
            listed = ", ".join(word(words.constant(term)) for term in arguments)
            self.moves[f"{title}({listed})"] = (name, *arguments)
        return title

    def _parameter_names(self, relation: str, count: int) -> list[str]:
        """The names of the arguments of a move: the variables of the file, if rules have these."""
        wishes = self.ground.parameters.get("legal" + relation[4:], ())
        title = plain(relation.split(" ", 1)[1])
        name = self.words.parameter
        return [
            name(wishes, place, ("parameter", relation, place), f"{title}_{place + 1}")
            for place in range(count)
        ]

    def _folded(
        self, moves: Mapping[tuple[str, tuple[Term, ...]], ast.MoveDecl]
    ) -> list[ast.MoveDecl]:
        """Moves with parameters in place of moves that differ in constants alone."""
        groups: dict[MoveKind, dict[tuple[Term, ...], ast.MoveDecl]] = {}
        for term, move in moves.items():
            groups.setdefault(self.game.kinds[term], {})[term[1]] = move
        folded_moves: list[ast.MoveDecl] = []
        for kind, group in groups.items():
            common = self._common_move(kind, group)
            folded_moves += [*group.values()] if common is None else [common]
        return folded_moves

    def _common_move(
        self, kind: MoveKind, group: Mapping[tuple[Term, ...], ast.MoveDecl]
    ) -> ast.MoveDecl | None:
        """The move with parameters that stands for moves of a kind; None if there is none, or
        if it is longer than the moves."""
        words, relation = self.words, str(kind[0])
        columns = [sorted(set(column), key=order) for column in zip(*group, strict=True)]
        if len(group) < 2:
            return None
        words.span = self.ground.spans["legal" + relation[4:]]
        names = self._parameter_names(relation, len(columns))
        rows = sorted(group, key=order)
        instances = [Instance(group[row], (*map(words.constant, row),)) for row in rows]
        domains = [words.set_of(column) for column in columns]
        title = self._title(kind, ())
        move = None
        if prod(map(len, columns)) == len(group):
            move = folded(instances, names, domains, title)
        if move is None:
            if not are_few(group.values()):
                return None
            parameters = Parameters(names, dict(enumerate(rows)), words)
            instances = [
                Instance(words.bounding(instance.move), instance.constants)
                for instance in instances
            ]
            merging = Merging(
                words.quantifying,
                parameters,
                [*map(words.name, names)],
                words.gathering.cells,
                words.known,
            )
            body = merging.body(instances)
            if body is None:
                return None
            within = parameters.within(columns, words.span)
            if not (_is_true(within) or words.is_bounded(body, names, columns, rows)):
                first, *rest = body
                body = (ast.Require(words.span, within), *body)
                if isinstance(first, ast.Require) and isinstance(within, ast.Compare):
                    both = joined(words.span, "and", (within, first.condition))
                    body = (ast.Require(words.span, both), *rest)
            move = folded(instances[:1], names, domains, title)
            assert move is not None, "a move fits itself"
            move = replace(move, body=body)
            if _size([move]) >= _size([*group.values()]):
                return None
        for instance in instances:
            del self.moves[instance.move.name.text]
        self._title(kind, group)
        return move

    def _move(self, steps: list[Step], mover_count: int) -> ast.MoveDecl:
        words = self.words
        relation, arguments = self.ground.atoms[steps[0].move]
        words.span = self.ground.spans["legal" + relation[4:]]
        name = self._move_name(relation, arguments[1:])
        movers = [words.name([*words.roles.values()][step.role]) for step in steps]
        body = None
        if len(steps) == mover_count:
            wholes = [self._whole(step) for step in steps]
            players = [*words.roles.values()]
            body = wholes[0] if mover_count == 1 else folded_by_turn(wholes, movers, players)
        if body is None:
            body = tuple(self._by_turn(steps, len(steps) == mover_count))
        return ast.MoveDecl(words.span, name, (), False, False, body)

    def _whole(self, step: Step) -> ast.Block:
        """The conditions and the effects of a step."""
        words = self.words
        fall = self.invariants.fall(Change(step.legal, dict(step.changes)))
        written = None if fall is None else words.fall(fall)
        if fall is not None and written is not None:
            head, put = written
            told = {*fall.filled, *(fluent for each in fall.vacant for fluent in each.fluents)}
            changes = tuple(pair for pair in step.changes if pair[0] not in told)
            legal = self._beside(step.legal, fall)
            step = replace(step, legal=legal, changes=changes)
            return (*head, *self._conditional(step), put)
        return self._conditional(step)

    def _beside(self, condition: int, fall: Fall) -> int:
        """The parts of a condition that do not follow from a vacant cell of a fall."""
        formulas = self.formulas
        is_and = formulas.kinds[condition] == "and"
        parts = formulas.parts[condition] if is_and else (condition,)
        return formulas.both(part for part in parts if not self.invariants.is_implied(fall, part))

    def _conditional(self, step: Step) -> ast.Block:
        """The conditions and the effects of a step, written as formulas."""
        words = self.words
        named: dict[int, str] = {}
        block: list[ast.Statement] = [*words.lets([step.legal], named)]
        condition = words.expression(step.legal, named)
        if not _is_true(condition):
            block.append(ast.Require(words.span, condition))
        return (*block, *self._effects(step, named))

    def _by_turn(self, steps: list[Step], has_all: bool) -> Iterable[ast.Statement]:
        """The conditions and effects of steps, each for its mover; equal beginnings of effects are
        written once. `has_all`: whether every mover has a step."""
        words = self.words
        named: dict[int, str] = {}
        yield from words.lets([step.legal for step in steps], named)
        conditions = [words.expression(step.legal, named) for step in steps]
        if not has_all or len(set(conditions)) > 1:
            pairs = zip(steps, conditions, strict=True)
            conditions = [self._where(step.role, condition) for step, condition in pairs]
            yield ast.Require(words.span, self._either(conditions))
        elif not _is_true(conditions[0]):
            yield ast.Require(words.span, conditions[0])
        effects = [tuple(self._effects(step, dict(named))) for step in steps]
        while all(block and isinstance(block[0], ast.Let) for block in effects):
            if len({block[0] for block in effects}) > 1:
                break
            yield effects[0][0]
            effects = [block[1:] for block in effects]
        if len(set(effects)) == 1:
            yield from effects[0]
        else:
            branches = [
                (self._is_turn(step.role), block)
                for step, block in zip(steps, effects, strict=True)
            ]
            yield ast.If(words.span, tuple(branches[:-1]), branches[-1][1])

    def _move_name(self, relation: str, arguments: tuple[Term, ...]) -> ast.Name:
        """The name of a move, without its role."""
        term = self._term((relation, arguments))
        name = self.words.names.of(("move", term), plain(term))
        self.moves[name] = term
        return self.words.name(name)

    def _is_turn(self, role: int) -> ast.Expression:
        words = self.words
        player = words.name([*words.roles.values()][role])
        return ast.Compare(words.span, words.name("turn"), (("==", player),))

    def _where(self, role: int, condition: ast.Expression) -> ast.Expression:
        """`turn == role and condition`."""
        return self._and(self._is_turn(role), condition)

    def _and(self, first: ast.Expression, second: ast.Expression) -> ast.Expression:
        if _is_true(second):
            return first
        is_flat = isinstance(second, ast.Logic) and second.operator == "and"
        operands = second.operands if is_flat and isinstance(second, ast.Logic) else (second,)
        return ast.Logic(self.words.span, "and", (first, *operands))

    def _either(self, conditions: list[ast.Expression]) -> ast.Expression:
        if len(conditions) == 1:
            return conditions[0]
        return ast.Logic(self.words.span, "or", tuple(conditions))

    def _effects(self, step: Step, named: dict[int, str]) -> Iterable[ast.Statement]:
        """The statements of a step behind its conditions."""
        words = self.words
        count = len(words.roles)
        yield from self._turn(step, named)
        if len(step.movers) == 1 and step.movers[0][0] == step.role and count > 1:
            yield ast.Again(words.span)
        yield from words.changes(step.changes, named)

    def _turn(self, step: Step, named: dict[int, str]) -> Iterable[ast.Statement]:
        """Assignments of `turn`, unless the next mover is the next player or the mover."""
        words = self.words
        players = [*words.roles.values()]
        following = (step.role + 1) % len(players)
        if len(step.movers) == 1:
            mover = step.movers[0][0]
            if mover not in (step.role, following):
                yield ast.Assign(words.span, words.name("turn"), "=", words.name(players[mover]))
            return
        yield from words.lets([formula for _, formula in step.movers], named)
        if [mover for mover, _ in step.movers] == [step.role, following]:
            condition = words.expression(step.movers[0][1], named)
            yield ast.If(words.span, ((condition, (ast.Again(words.span),)),), None)
            return
        blocks = [
            (
                words.expression(formula, named),
                (ast.Assign(words.span, words.name("turn"), "=", words.name(players[mover])),),
            )
            for mover, formula in step.movers
        ]
        yield ast.If(words.span, tuple(blocks[:-1]), blocks[-1][1])

    def _choice_variables(self) -> Iterable[ast.VariableDecl]:
        """The variables with the choices of all players: the name of the move, and the arguments by
        which moves of one name differ; moves that no new value depends on have one name."""
        words = self.words
        read = {
            self.ground.atoms[atom][0]
            for atom in self.formulas.atoms_of(self.game.following.values())
        }
        words.moves = self._is_chosen
        rows: dict[str, dict[tuple[Term, ...], None]] = {}
        for move in chain.from_iterable(self.game.legal):
            relation, arguments = self.ground.atoms[move]
            rows.setdefault(relation, {})[arguments[1:]] = None
        for relation, terms in rows.items():
            if relation not in read:
                continue
            columns = [[*dict.fromkeys(column)] for column in zip(*terms, strict=True)]
            names = self._parameter_names(relation, len(columns))
            for place, (name, column) in enumerate(zip(names, columns, strict=True)):
                if len(column) > 1:
                    variable = words.names.of(("chosen", name), f"{name}_chosen")
                    self.chosen.setdefault(relation, {})[place] = variable
                    self.choosing.setdefault(variable, {}).update(dict.fromkeys(column))
        for variable, values in self.choosing.items():
            words.choices[variable] = {word(words.constant(value)) for value in values}
        choice = words.names.of("choice", "choice")
        unread = [relation for relation in rows if relation not in read]
        for relation in rows:
            named = unread[0] if relation in unread else relation
            title = f"to_{plain(named.split(' ', 1)[1])}"
            self.titles[relation] = words.word(("choice", named), title)
        titles = [words.name(title) for title in dict.fromkeys(self.titles.values())]
        yield self._choice_variable(choice, words.union([*titles, words.name("none")]))
        for variable, values in self.choosing.items():
            yield self._choice_variable(variable, words.values_or_none(values))

    def _choice_variable(self, name: str, domain: ast.Expression) -> ast.VariableDecl:
        words = self.words
        index = ast.IndexDecl(words.span, None, words.name("players"))
        none = words.name("none")
        return ast.VariableDecl(words.span, words.name(name), (index,), domain, none, None)

    def _chosen(self, player: str, variable: str = "") -> ast.Expression:
        words = self.words
        name = words.name(variable or words.names.of("choice", "choice"))
        return ast.Index(words.span, name, (words.name(player),))

    def _is_chosen(self, move: int) -> ast.Expression:
        """`x_chosen[role] == 1`, for a `does` atom; the name of the move, if needed."""
        words = self.words
        relation, arguments = self.ground.atoms[move]
        if arguments[0] not in words.roles or relation not in self.titles:
            return words.truth(False)
        player = words.roles[arguments[0]]
        chosen = self.chosen.get(relation, {})
        others = {
            variable
            for other, variables in self.chosen.items()
            if other != relation
            for variable in variables.values()
        }
        pairs = [
            (self._chosen(player, variable), words.constant(arguments[1 + place]))
            for place, variable in chosen.items()
        ]
        if others.issuperset(chosen.values()):
            pairs.insert(0, (self._chosen(player), words.name(self.titles[relation])))
        tests = (ast.Compare(words.span, cell, (("==", value),)) for cell, value in pairs)
        return joined(words.span, "and", tests)

    def _choices(self) -> Iterable[tuple[tuple[str, tuple[Term, ...]], ast.MoveDecl]]:
        """A choice for each term that is a move of a role."""
        words = self.words
        roles_of: dict[tuple[Term, ...], list[tuple[Term, int]]] = {}
        for role, moves in zip(words.roles, self.game.legal, strict=True):
            for move, legality in moves.items():
                relation, arguments = self.ground.atoms[move]
                roles_of.setdefault((relation, *arguments[1:]), []).append((role, legality))
        for term, roles in roles_of.items():
            relation = str(term[0])
            words.span = self.ground.spans["legal" + relation[4:]]
            name = self._move_name(relation, term[1:])
            named: dict[int, str] = {}
            legalities = [legality for _, legality in roles]
            body: list[ast.Statement] = [*words.lets(legalities, named)]
            is_open = ast.Compare(words.span, self._chosen("me"), (("==", words.name("none")),))
            condition = self._of_me(
                [(role, words.expression(legality, named)) for role, legality in roles]
            )
            body.append(ast.Require(words.span, self._and(is_open, condition)))
            title = words.name(self.titles[relation])
            body.append(ast.Assign(words.span, self._chosen("me"), "=", title))
            for place, variable in self.chosen.get(relation, {}).items():
                value = words.constant(term[1 + place])
                body.append(ast.Assign(words.span, self._chosen("me", variable), "=", value))
            yield (relation, term[1:]), ast.MoveDecl(words.span, name, (), False, True, tuple(body))

    def _of_me(self, conditions: Sequence[tuple[Term, ast.Expression]]) -> ast.Expression:
        """The conditions of roles as a condition on the player who chooses."""
        words = self.words
        if len(conditions) == len(words.roles):
            players = tuple(words.name(words.roles[role]) for role, _ in conditions)
            values = [condition for _, condition in conditions]
            common = folded_values(values, [players], [words.name("me")])
            if common is not None:
                return common
        return self._either([self._mine(role, condition) for role, condition in conditions])

    def _mine(self, role: Term, condition: ast.Expression) -> ast.Expression:
        words = self.words
        player = words.name(words.roles[role])
        is_mine = ast.Compare(words.span, words.name("me"), (("==", player),))
        return self._and(is_mine, condition)

    def _settle(self) -> ast.MoveDecl:
        """The move that works out the next state from the choices."""
        words = self.words
        words.span = self.ground.spans["terminal"]
        players = [*words.roles.values()]
        none = words.name("none")
        body: list[ast.Statement] = [
            ast.Require(
                words.span, ast.Compare(words.span, self._chosen(players[0]), (("!=", none),))
            )
        ]
        changes = [
            (fluent, formula)
            for fluent, formula in self.game.following.items()
            if formula != self.formulas.atom(fluent)
        ]
        body += words.changes(changes, {})
        player = words.name(words.quantifying.variable(0))
        block = tuple(
            ast.Assign(words.span, self._chosen(player.text, variable), "=", none)
            for variable in ("", *self.choosing)
        )
        body.append(ast.For(words.span, player, words.name("players"), None, None, block))
        if len(players) > 1:
            body.append(ast.Again(words.span))
        name = words.name(words.names.of("settle", "settle"))
        return ast.MoveDecl(words.span, name, (), False, False, tuple(body))

    def _end(self, outcomes: Outcomes) -> Iterable[ast.Statement]:
        words, game = self.words, self.game
        named: dict[int, str] = {}
        cases = self._cases(outcomes)
        values = [formula for goals in game.goals for formula in goals.values()]
        if cases is not None:
            values = [guard for guard, _ in cases[:-1]]
        yield from words.lets([game.terminal, *values], named)
        paid: list[ast.Statement]
        if cases is None:
            sure = zip(words.roles.values(), game.goals, outcomes.sure, strict=True)
            goals = [self._value(role, values, named, is_sure) for role, values, is_sure in sure]
            lets = [statement for _, statement in goals if statement is not None]
            paid = [*lets, self._payoff([value for value, _ in goals])]
        else:
            blocks = [(words.expression(guard, named), (pays,)) for guard, pays in cases[:-1]]
            last = cases[-1][1]
            paid = [ast.If(words.span, (*blocks,), (last,)) if blocks else last]
        if game.terminal == TRUE:
            yield from paid
        else:
            condition = words.expression(game.terminal, named)
            yield ast.If(words.span, ((condition, (*paid,)),), None)

    def _cases(self, outcomes: Outcomes) -> list[tuple[int, ast.Payoff]] | None:
        """The payoffs of the end, each with the goals that tell it from the payoffs after it; None
        if payoffs are written role by role."""
        words, goals = self.words, self.game.goals
        if len(goals) == 1 and words.read_off(goals[0]) is not None:
            return None
        if len(goals) == 1:
            (values,), is_sure = goals, outcomes.sure[0]
            cases: list[tuple[int, tuple[int, ...]]]
            cases = [(formula, (value,)) for value, formula in values.items()]
            if not is_sure:
                cases.append((TRUE, ()))
        elif outcomes.rows is None:
            return None
        else:
            cases = [(self._guard(row, outcomes), row) for row in outcomes.rows]
        if all(outcomes.exclusive):
            cases.sort(key=lambda case: (not case[1], words.written_size([case[0]])))
        known = {self.game.terminal: TRUE}
        for place, (guard, row) in enumerate(cases):
            cases[place] = (self.formulas.put([guard], {}, dict(known))[guard], row)
            known |= {guard: FALSE, self.formulas.negation(guard): TRUE}
        return [
            (guard, self._payoff([*map(words.number, row)] or [self._no_goal()]))
            for guard, row in cases
        ]

    def _guard(self, row: tuple[int, ...], outcomes: Outcomes) -> int:
        """The shortest formula of goals that tells a combination of payoffs from all others."""
        rows, goals, formulas = outcomes.rows or (), self.game.goals, self.formulas
        if outcomes.is_decided_by_first and not all(outcomes.exclusive):
            return goals[0][row[0]]
        for size in range(1, len(row) + 1):
            guards = [
                formulas.both(goals[role][row[role]] for role in roles)
                for roles in combinations(range(len(row)), size)
                if sum(all(row[role] == other[role] for role in roles) for other in rows) == 1
            ]
            if guards:
                return min(guards, key=lambda guard: self.words.written_size([guard]))
        raise AssertionError("combinations of payoffs differ")

    def _no_goal(self) -> ast.Expression:
        """A value that no payoff has: a state without a goal is an error in the game."""
        words = self.words
        name = words.name(words.names.of("no goal", "no_goal"))
        if not self.helpers:
            variable = words.name(words.quantifying.variable(0))
            one, two = words.number(1), words.number(2)
            more = ast.Compare(words.span, variable, ((">", two),))
            clause = ast.Clause(words.span, variable, ast.Binary(words.span, "..", one, two), more)
            value = ast.Quantifier(words.span, words.name("first"), variable, (clause,))
            self.helpers.append(ast.DefDecl(words.span, name, (), value, ()))
        return name

    def _payoff(self, values: Iterable[ast.Expression]) -> ast.Payoff:
        """`payoff` with a value for each role."""
        words = self.words
        players = map(words.name, words.roles.values())
        return ast.Payoff(self.ground.spans["goal"], (*zip(players, values, strict=True),))

    def _value(
        self, role: str, goals: Mapping[int, int], named: dict[int, str], is_sure: bool
    ) -> tuple[ast.Expression, ast.Statement | None]:
        """The goal of a role, the first value whose condition holds, and the `let` that names it,
        if needed."""
        words = self.words
        if (cell := words.read_off(goals)) is not None:
            return cell, None
        cases = [(formula, words.number(value)) for value, formula in goals.items()]
        last = cases.pop()[1] if is_sure else self._no_goal()
        if not cases:
            return last, None
        name = words.name(words.names.of(("let", role), f"goal_of_{role}"))
        return name, ast.Let(words.span, name, words.chain(cases, last, named))


def _is_true(condition: ast.Expression) -> bool:
    return isinstance(condition, ast.Name) and condition.text == "true"


def _size(nodes: Sequence[ast.Node]) -> int:
    """The number of nodes in nodes."""
    return sum(1 for _ in ast.nodes_in(tuple(nodes)))


def game_of(source: SourceFile, ground: Ground) -> Game:
    """The formulas of a game, sorted by their meaning. Raises KifError."""
    formulas, known = formulas_of(source, ground)
    atoms = ground.atoms
    numbers = {atom: number for number, atom in enumerate(atoms)}
    following: dict[int, int] = {}
    legal: dict[Term, dict[int, int]] = {role: {} for role in ground.roles}
    goals: dict[Term, dict[int, int]] = {role: {} for role in ground.roles}
    first = {relation: place for place, relation in enumerate(ground.spans)}

    def in_file(number: int) -> tuple[object, ...]:
        relation, arguments = atoms[number]
        return first.get(relation, 0), order(arguments)

    for number in sorted(range(1, len(atoms)), key=in_file):
        relation, arguments = atoms[number]
        if relation.startswith("true ") and known[number] != FALSE:
            head = numbers.get(("next" + relation[4:], arguments), 0)
            following[number] = known.get(head, FALSE)
        elif relation.startswith("legal ") and arguments[0] in legal:
            move = numbers.get(("does" + relation[5:], arguments), 0)
            if not move:
                move = len(atoms)
                atoms.append(("does" + relation[5:], arguments))
            legal[arguments[0]][move] = known[number]
        elif relation == "goal" and arguments[0] in goals:
            value = _goal(source, ground, arguments[1])
            goals[arguments[0]][value] = known[number]
    terminal = known.get(numbers.get(("terminal", ()), 0), FALSE)
    for role, moves in legal.items():
        if not moves:
            refuse(source, "E0131", f"`{plain(role)}` never has a legal move", ground.spans["role"])
        if not goals[role]:
            refuse(source, "E0131", f"`{plain(role)}` never has a goal", ground.spans["role"])
    terms = ((atoms[move][0], atoms[move][1][1:]) for moves in legal.values() for move in moves)
    return Game(
        ground,
        formulas,
        known,
        following,
        (*legal.values(),),
        terminal,
        (*goals.values(),),
        kinds_of(terms),
    )


def _goal(source: SourceFile, ground: Ground, term: Term) -> int:
    if not is_number(term) or int(str(term)) > 100:
        message = f"a goal is a number from 0 to 100, not `{plain(term)}`"
        refuse(source, "E0131", message, ground.spans["goal"])
    return int(str(term))

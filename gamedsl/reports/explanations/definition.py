"""The formal definition of a game as data: the functions of the textbook, one section each.

The result is an `Explanation`, written by the views `as_text`, `as_markdown`, `as_latex`, `as_html`
and `as_json`. The rules come from the file's own text (`rules`), the values from the game at the
chosen state; at a chance event, values are also given for the state after the first outcome of
every chance event in a row.

Names are from S. Russell and P. Norvig, "Artificial Intelligence: A Modern Approach", section 5.1,
in the third or the fourth edition (`names`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from gamedsl.conformance.laws import choices
from gamedsl.game import LoadedGame
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.model.action_names import move_of, name_of
from gamedsl.reports.explanations.information import information_section
from gamedsl.reports.explanations.names import Edition
from gamedsl.reports.explanations.rules import Rules, rules_of
from gamedsl.reports.explanations.sections import Explanation, Picture, Section, StateCounts
from gamedsl.reports.explanations.symmetry import proved_sections
from gamedsl.reports.formulas.tree import (
    Formula,
    Kind,
    Line,
    Total,
    Word,
    joined,
    parenthesized,
    prose,
    read,
    row,
)
from gamedsl.solvers.feasibility.form_size import FormEstimate
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MOST_ACTIONS = 12
MOST_RESULTS = 2
LONGEST_SAMPLE = 40

Choice = int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Example:
    """A state of the examples, the state's name, and the play that leads to the state."""

    state: State
    symbol: str
    play: str


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of the sections.

    Attributes:
        first: the chosen state.
        decision: at a chance event, a later state in which a player chooses, if soon reached;
            else the chosen state.
    """

    game: LoadedGame
    rules: Rules
    first: _Example
    decision: _Example

    @property
    def s(self) -> str:
        """The symbol of a state."""
        return self.rules.names.s

    @property
    def examples(self) -> tuple[_Example, ...]:
        """The states of the examples."""
        return (self.first,) if self.decision is self.first else (self.first, self.decision)


def explain(
    game: LoadedGame,
    state: State,
    counts: StateCounts | None,
    edition: Edition = Edition.THIRD,
    form: FormEstimate | None = None,
) -> Explanation:
    """The definition, with values at `state`, and the size of the extensive form, if known."""
    rules = rules_of(game, edition)
    symbol = "S0" if state == game.initial_state() else "s1"
    first = _Example(state, symbol, "")
    subject = _Subject(game, rules, first, _decision(game, first))
    sections = [
        _states(subject, counts),
        _initial(subject),
        _player(subject),
        _actions(subject),
        _result(subject),
        _chance(subject),
        _rewards(subject),
        _terminal(subject),
        _utility(subject),
        _goal(subject),
        _path_cost(subject),
        _payoff(game),
        information_section(game, form),
        *proved_sections(game),
        _evaluation(subject),
        _words(subject),
    ]
    return Explanation(
        game.name,
        tuple(game.parameters.items()),
        rules.about,
        symbol,
        tuple(section for section in sections if section is not None),
    )


def _decision(game: LoadedGame, first: _Example) -> _Example:
    """The first state in which a player chooses, after chance events with fixed outcomes.

    First attempt: always the first outcome; second attempt: the outcome changes from event to
    event.
    """
    for pace in (0, 1):
        state = first.state
        names: list[str] = []
        while game.current_player(state) == CHANCE and len(names) < LONGEST_SAMPLE:
            outcomes = game.chance_outcomes(state)
            outcome = outcomes[len(names) * pace % len(outcomes)][0]
            names.append(game.action_name(state, outcome))
            state = game.result(state, outcome)
        if names and game.current_player(state) not in (CHANCE, TERMINAL):
            symbol = "s1" if first.symbol == "S0" else "s2"
            return _Example(state, symbol, f"{first.symbol} after {', '.join(names)}")
    return first


def _states(subject: _Subject, counts: StateCounts | None) -> Section:
    game, s = subject.game, subject.s
    facts = game.facts
    players = joined(", ", (Word(player, Kind.VALUE) for player in facts.players))
    lines = [Line(row(Word("players"), " = {", players, "}"))]
    lines += [Line(row(Word(name), f" = {value}")) for name, value in game.parameters.items()]
    has_turn = _has_turn(game)
    bound = facts.state_bound
    if facts.is_tree:
        lines.append(Line(row("S = the nodes of the tree")))
    else:
        parts: list[Formula] = [Word("turn")] if has_turn else []
        parts += [Word(v.name) for v in game.model.variables if not v.is_constant]
        if facts.repeats:
            parts.append(prose("what has been before"))
        whole = joined(", ", parts)
        lines.append(Line(row(Word(s), " = ", parenthesized(whole) if len(parts) != 1 else whole)))
        if has_turn:
            lines.append(Line(row(Word("turn"), " ∈ ", Word("players"))))
        elif len(facts.players) > 1:
            bound //= len(facts.players)
        lines += subject.rules.variables
    values = [f"|S| ≤ {_large(bound)} by these sets alone"]
    if facts.is_tree:
        values = []
    elif facts.repeats:
        values = [f"without the past, |S| ≤ {_large(bound)} by these sets alone"]
    if counts is not None:
        values.append(_measured(counts, facts.has_chance))
    return Section("S", "the players, in turn order, and the states", tuple(lines),
                   values=tuple(values))  # fmt: skip


def _has_turn(game: LoadedGame) -> bool:
    """Whether `turn` is part of a state: several players, not all moves simultaneous."""
    is_still = all(move.is_simultaneous for move in game.model.moves)
    return len(game.facts.players) > 1 and not is_still


def _measured(counts: StateCounts, has_chance: bool) -> str:
    if not counts.is_complete:
        sorts = "states and chance events" if has_chance else "states"
        return f"more than {counts.positions:,} {sorts} can be reached (counting stopped there)"
    chance = f", and {count(counts.chance_nodes, 'chance event')}" if counts.chance_nodes else ""
    states = count(counts.positions, "state")
    return f"{states} can be reached, {counts.terminals:,} of them terminal{chance}"


def _large(number: int) -> str:
    text = str(number)
    return f"{number:,}" if len(text) <= 15 else f"{text[0]}.{text[1]} × 10^{len(text) - 1}"


def _initial(subject: _Subject) -> Section:
    game, chosen = subject.game, subject.first
    first = game.initial_state()
    pictures = [Picture("S0", first, game.show(first))]
    if chosen.symbol != "S0":
        pictures.append(Picture(chosen.symbol, chosen.state, game.show(chosen.state)))
    return Section("S0", "the state in which play begins", code=subject.rules.state,
                   pictures=tuple(pictures), spelled=subject.rules.initial)  # fmt: skip


def _player(subject: _Subject) -> Section:
    rules, game = subject.rules, subject.game
    special = {
        int(CHANCE): "chance", int(TERMINAL): "nobody: the game is over",
        int(SIMULTANEOUS): "all players at once",
    }  # fmt: skip
    values = []
    for example in subject.examples:
        mover = game.current_player(example.state)
        who = special.get(int(mover)) or mover.name
        where = f", where {example.symbol} = {example.play}" if example.play else ""
        values.append(f"{rules.names.player}({example.symbol}) = {who}{where}")
    return Section(f"{rules.names.player}({subject.s})", "who moves", rules.player,
                   values=tuple(values))  # fmt: skip


def _actions(subject: _Subject) -> Section:
    game, rules = subject.game, subject.rules
    state, symbol = subject.decision.state, subject.decision.symbol
    mover = game.current_player(state)
    values = []
    if mover == SIMULTANEOUS:
        for player in game.players:
            names = [
                name_of(move_of(game.model.moves, action), action)
                for action in game.legal_actions(state, player)
            ]
            values.append(f"ACTIONS({symbol}, {player.name}) = {_set(names)}")
    else:
        names = [game.action_name(state, action) for action in game.legal_actions(state)]
        values.append(f"ACTIONS({symbol}) = {_set(names)}")
    if not game.facts.is_simultaneous:
        return Section(f"ACTIONS({subject.s})", "the legal moves", rules.actions,
                       rules.conditions, tuple(values), spelled=rules.asked)  # fmt: skip
    return Section(f"ACTIONS({subject.s}, me)", "the legal choices of each player me, all made "
                   "at once", rules.actions, rules.conditions, tuple(values),
                   spelled=rules.asked)  # fmt: skip


def _set(names: list[str]) -> str:
    shown = ", ".join(names[:MOST_ACTIONS])
    more = f", ... {len(names) - MOST_ACTIONS} more" if len(names) > MOST_ACTIONS else ""
    return "{" + shown + more + "}" if names else "{}"


def _result(subject: _Subject) -> Section:
    game, rules = subject.game, subject.rules
    state, symbol = subject.decision.state, subject.decision.symbol
    pictures = []
    for choice in islice(_decided(game, state), MOST_RESULTS):
        after = game.result(state, choice)
        formula = f"RESULT({symbol}, {game.action_name(state, choice)})"
        pictures.append(Picture(formula, after, game.show(after)))
    meaning = "the state after a move"
    if game.facts.is_simultaneous:
        meaning = "the state after a joint action a, one choice of each player"
    return Section(f"RESULT({subject.s}, a)", meaning, rules.results, rules.moves,
                   pictures=tuple(pictures), spelled=rules.steps)  # fmt: skip


def _decided(game: LoadedGame, state: State) -> Iterable[Choice]:
    """The choices of players, not of chance, in a state."""
    return () if game.current_player(state) == CHANCE else choices(game, state)


def _chance(subject: _Subject) -> Section | None:
    game = subject.game
    if not game.facts.has_chance:
        return None
    values: tuple[str, ...] = ()
    example = _due(subject)
    if example is not None:
        state, symbol = example.state, example.symbol or example.play
        outcomes = game.chance_outcomes(state)
        values = tuple(
            f"P({game.action_name(state, outcome)} | {symbol}) = {chance}"
            for outcome, chance in outcomes[:MOST_ACTIONS]
        )
        if len(outcomes) > MOST_ACTIONS:
            values += (f"... {len(outcomes) - MOST_ACTIONS} more",)
    s = subject.rules.names.symbol
    reached = row("r with RESULT(", s, ", a, r) = ", s, "'")
    model = row("P(", s, "' | ", s, ", a) = ", Total(reached, row("P(r)")),
                ", where r is the outcome of the chance events of the move")  # fmt: skip
    lines = (Line(model), *subject.rules.chances)
    return Section(f"P({subject.s}' | {subject.s}, a)", "chance events, with exact probabilities",
                   lines, values=values)  # fmt: skip


def _due(subject: _Subject) -> _Example | None:
    """The chosen state at a chance event, else a state after an action with a chance event."""
    game, first = subject.game, subject.first
    if game.current_player(first.state) == CHANCE:
        return first
    for choice in islice(_decided(game, first.state), MOST_ACTIONS):
        after = game.result(first.state, choice)
        if game.current_player(after) == CHANCE:
            name = game.action_name(first.state, choice)
            return _Example(after, "", f"RESULT({first.symbol}, {name})")
    return None


def _rewards(subject: _Subject) -> Section | None:
    game, s = subject.game, subject.s
    if not game.facts.has_rewards:
        return None
    due = _due(subject)
    values = tuple(
        f"R({example.symbol or example.play}, {game.action_name(example.state, choice)}, {s}') = "
        f"{_shares(game, example.state, choice)}"
        for example in (subject.decision, *([due] if due is not None else []))
        for choice in islice(choices(game, example.state), MOST_ACTIONS)
        if example is not due or any(game.rewards(example.state, choice))
    )
    return Section(f"R({s}, a, {s}')", "what is paid at once", subject.rules.rewards,
                   values=values)  # fmt: skip


def _shares(game: LoadedGame, state: State, choice: Choice) -> str:
    paid = game.rewards(state, choice)
    if len(paid) == 1:
        return str(paid[0])
    pairs = zip(game.facts.players, paid, strict=True)
    return ", ".join(f"{name}: {amount}" for name, amount in pairs)


def _payoff(game: LoadedGame) -> Section | None:
    """The payoff of a play, composed of rewards and the outcome."""
    facts = game.facts
    if facts.pays_at_the_end:
        return None
    if facts.discount == 1:
        formula = "payoff of a play = the sum of R(s, a, s') over its steps + UTILITY at its end"
    else:
        formula = (
            "payoff of a play of n plies = the sum of γ^(t-1) · R(s, a, s') over the steps of "
            "plies t = 1, 2, ..., n + γ^n · UTILITY at its end"
        )
    formulas = [formula, *([] if facts.discount == 1 else [f"γ = {facts.discount}"])]
    lines = tuple(Line(row(formula)) for formula in formulas)
    return Section("payoff", "what a whole play is worth", lines)


def _goal(subject: _Subject) -> Section | None:
    """The goal of a single player whose moves have sure results (AIMA, section 3.1); None also
    where no end pays more than 0: the rewards alone tell good plays from bad plays."""
    game, names = subject.game, subject.rules.names
    if len(game.facts.players) > 1 or game.facts.has_chance or game.facts.is_tree:
        return None
    if game.facts.utility_bounds[1] <= 0:
        return None
    return Section(f"{names.goal}({names.s})", "the states to be reached", subject.rules.goal)


def _path_cost(subject: _Subject) -> Section | None:
    game, names = subject.game, subject.rules.names
    if _goal(subject) is None:
        return None
    s = names.symbol
    cost = row(f"{names.cost}(", s, ", a, ", s, "')")
    if game.facts.has_rewards:
        lines = [row(cost, " = -R(", s, ", a, ", s, "')")]
        lines.append(row("the cost of a path is the sum of the costs of its steps"))
    else:
        lines = [row(cost, " = 1"), row("the cost of ", prose("a path"), " is its number of steps")]
    return Section("path cost", "what a way to the goal costs", tuple(map(Line, lines)))


def _terminal(subject: _Subject) -> Section:
    game, rules, symbol = subject.game, subject.rules, subject.first.symbol
    is_over = str(game.is_terminal(subject.first.state)).lower()
    values = (f"{rules.names.terminal}({symbol}) = {is_over}",)
    return Section(f"{rules.names.terminal}({subject.s})", "whether the game is over",
                   rules.terminal, rules.end, values, spelled=rules.ends)  # fmt: skip


def _utility(subject: _Subject) -> Section:
    game, s, state = subject.game, subject.s, subject.first.state
    low, high = game.facts.utility_bounds
    name, meaning = f"UTILITY({s}, p)", "what each player gets at the end"
    symbol = subject.rules.names.symbol
    bounds = [row(f"{low} ≤ UTILITY(", symbol, f", p) ≤ {high}")]
    if low == high:
        bounds = [row("UTILITY(", symbol, f", p) = {low}")]
    if game.facts.is_opposed and low != high:
        second_side = game.facts.sides.index(1)
        first, second = (Word(game.facts.players[n], Kind.VALUE) for n in (0, second_side))
        total = f"{game.facts.opposed_total} - " if game.facts.opposed_total else "-"
        bounds.append(
            row("UTILITY(", symbol, ", ", second, f") = {total}UTILITY(", symbol, ", ", first, ")")
        )
    if game.facts.endless is not None:
        for player, payoff in zip(game.facts.players, game.facts.endless, strict=True):
            who = Word(player, Kind.VALUE)
            bounds.append(row("UTILITY(endless play, ", who, f") = {payoff}"))
    formulas = (*subject.rules.utility, *map(Line, bounds))
    if game.is_terminal(state):
        return Section(name, meaning, formulas,
                       values=_utilities(game, state, subject.first.symbol))  # fmt: skip
    sample = _sample_play(game, state)
    if sample is None:
        return Section(name, meaning, formulas)
    names, end = sample
    after = f"one end: z = {subject.first.symbol} after {', '.join(names)}"
    return Section(name, meaning, formulas, values=(after, *_utilities(game, end, "z")),
                   pictures=(Picture("z", end, game.show(end)),))  # fmt: skip


def _utilities(game: LoadedGame, state: State, symbol: str) -> tuple[str, ...]:
    return tuple(
        f"UTILITY({symbol}, {player.name}) = {game.utility(state, player)}"
        for player in game.players
    )


def _sample_play(game: LoadedGame, state: State) -> tuple[list[str], State] | None:
    """A play to the end by the first possible choices; None if too long."""
    names: list[str] = []
    for _ in range(LONGEST_SAMPLE):
        mover = game.current_player(state)
        if mover == TERMINAL:
            return names, state
        action: Choice
        if mover == CHANCE:
            action = game.chance_outcomes(state)[0][0]
        elif mover == SIMULTANEOUS:
            action = tuple(game.legal_actions(state, player)[0] for player in game.players)
        else:
            action = game.legal_actions(state)[0]
        names.append(game.action_name(state, action))
        state = game.result(state, action)
    return None


def _evaluation(subject: _Subject) -> Section | None:
    game = subject.game
    if not game.facts.has_evaluate:
        return None
    state, symbol = subject.decision.state, subject.decision.symbol
    values = tuple(
        f"EVAL({symbol}, {player.name}) = {game.evaluate(state, player)}"
        for player in game.players
    ) if game.current_player(state) >= 0 else ()  # fmt: skip
    return Section(f"EVAL({subject.s}, p)", "an estimate where a search is cut off",
                   subject.rules.evaluation, subject.rules.estimate, values,
                   spelled=subject.rules.guesses)  # fmt: skip


def _words(subject: _Subject) -> Section | None:
    words = subject.rules.words
    lines = tuple(Line(read(word)) for word in words)
    return Section("words", "of the language, used above", lines) if lines else None

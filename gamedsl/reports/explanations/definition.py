"""The formal definition of a game as data: the functions of the textbook, one section each.

In: a game, the state to show, counts that were measured. Out: an `Explanation`, which the views
`as_text`, `as_markdown`, `as_latex` and `as_html` write down. The rules come from the file's own
text (`rules`), the values from the game at the chosen state.

Names are those of S. Russell and P. Norvig, "Artificial Intelligence: A Modern Approach", 3rd ed.,
section 5.1.
"""

from __future__ import annotations

from itertools import islice

from gamedsl.conformance.laws import choices
from gamedsl.game import LoadedGame
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.model.nodes import Variable
from gamedsl.model.values import Value, describe_values
from gamedsl.reports.explanations.information import information_section
from gamedsl.reports.explanations.rules import Rules, rules_of
from gamedsl.reports.explanations.sections import Explanation, Picture, Section, StateCounts
from gamedsl.reports.phrases import count

MOST_ACTIONS = 12
MOST_RESULTS = 2
LONGEST_SAMPLE = 40


def explain(game: LoadedGame, state: State, counts: StateCounts | None) -> Explanation:
    """The definition, with values at `state`."""
    rules = rules_of(game)
    symbol = "S0" if state == game.initial_state() else "s1"
    sections = [
        _states(game, counts),
        _initial(game, rules, state, symbol),
        _player(game, state, symbol, rules),
        _actions(game, state, symbol, rules),
        _result(game, state, symbol, rules),
        _chance(game, state, symbol, rules),
        _rewards(game, state, symbol, rules),
        _terminal(game, state, symbol, rules),
        _utility(game, state, symbol),
        _payoff(game),
        information_section(game),
        _evaluation(game, state, symbol, rules),
    ]
    return Explanation(
        game.name,
        tuple(game.parameters.items()),
        rules.about,
        symbol,
        tuple(section for section in sections if section is not None),
    )


def _states(game: LoadedGame, counts: StateCounts | None) -> Section:
    facts = game.facts
    players = ", ".join(facts.players)
    formulas = [f"players = {{{players}}}"]
    if facts.is_tree:
        formulas.append("S = the nodes of the tree")
    else:
        parts = ", ".join(["turn", *(variable.name for variable in game.model.variables)])
        formulas.append(f"s = ({parts})")
        formulas += [_signature(variable) for variable in game.model.variables]
    values = [f"|S| ≤ {_large(facts.state_bound)} by the domains alone"]
    if counts is not None:
        values.append(_measured(counts))
    return Section("S", "the players, in turn order, and the states", tuple(formulas),
                   values=tuple(values))  # fmt: skip


def _signature(variable: Variable) -> str:
    """`cell : square → {empty, X, O}`, `pot ∈ {0..20}`."""
    domain = describe_values(variable.domain.values).replace(" | ", ", ")
    if not variable.indices:
        return f"{variable.name} ∈ {{{domain}}}"
    indices = " × ".join(_index_text(index.values) for index in variable.indices)
    return f"{variable.name} : {indices} → {{{domain}}}"


def _index_text(values: tuple[Value, ...]) -> str:
    written = describe_values(values).replace(" | ", ", ")
    return written if written == "square" else f"{{{written}}}"


def _measured(counts: StateCounts) -> str:
    if not counts.is_complete:
        return f"more than {counts.positions:,} states can be reached (counting stopped there)"
    chance = f", and {count(counts.chance_nodes, 'chance event')}" if counts.chance_nodes else ""
    states = count(counts.positions, "state")
    return f"{states} can be reached, {counts.terminals:,} of them terminal{chance}"


def _large(number: int) -> str:
    text = str(number)
    return f"{number:,}" if len(text) <= 15 else f"{text[0]}.{text[1]} × 10^{len(text) - 1}"


def _initial(game: LoadedGame, rules: Rules, state: State, symbol: str) -> Section:
    first = game.initial_state()
    pictures = [Picture("S0", first, game.show(first))]
    if symbol != "S0":
        pictures.append(Picture(symbol, state, game.show(state)))
    code = "\n".join(filter(None, [rules.state, rules.setup]))
    return Section("S0", "the state in which play begins", code=code,
                   pictures=tuple(pictures))  # fmt: skip


def _player(game: LoadedGame, state: State, symbol: str, rules: Rules) -> Section:
    mover = game.current_player(state)
    who = {int(CHANCE): "chance", int(TERMINAL): "nobody: the game is over",
           int(SIMULTANEOUS): "all players at once"}.get(int(mover), mover.name)  # fmt: skip
    return Section("PLAYER(s)", rules.turn_words, values=(f"PLAYER({symbol}) = {who}",))


def _actions(game: LoadedGame, state: State, symbol: str, rules: Rules) -> Section:
    values = []
    mover = game.current_player(state)
    if mover == SIMULTANEOUS:
        for player in game.players:
            names = [
                game.action_name(state, _joint(game, state, player, action))
                for action in game.legal_actions(state, player)
            ]
            values.append(f"ACTIONS({symbol}) of {player.name} = {_set(names)}")
    else:
        names = [game.action_name(state, action) for action in game.legal_actions(state)]
        values.append(f"ACTIONS({symbol}) = {_set(names)}")
    return Section("ACTIONS(s)", "the legal moves", rules.actions, rules.definitions,
                   tuple(values))  # fmt: skip


def _joint(game: LoadedGame, state: State, player: int, action: int) -> tuple[int, ...]:
    joint = [game.legal_actions(state, other)[0] for other in game.players]
    joint[player] = action
    return tuple(joint)


def _set(names: list[str]) -> str:
    shown = ", ".join(names[:MOST_ACTIONS])
    more = f", ... {len(names) - MOST_ACTIONS} more" if len(names) > MOST_ACTIONS else ""
    return "{" + shown + more + "}" if names else "{}"


def _result(game: LoadedGame, state: State, symbol: str, rules: Rules) -> Section:
    pictures = []
    if game.current_player(state) >= 0:
        for action in game.legal_actions(state)[:MOST_RESULTS]:
            after = game.result(state, action)
            formula = f"RESULT({symbol}, {game.action_name(state, action)})"
            pictures.append(Picture(formula, after, game.show(after)))
    return Section("RESULT(s, a)", "the state after a move", code=rules.moves,
                   pictures=tuple(pictures))  # fmt: skip


def _chance(game: LoadedGame, state: State, symbol: str, rules: Rules) -> Section | None:
    if not game.facts.has_chance:
        return None
    values: tuple[str, ...] = ()
    if game.current_player(state) == CHANCE:
        values = tuple(
            f"P({game.action_name(state, outcome)} | {symbol}) = {chance}"
            for outcome, chance in game.chance_outcomes(state)
        )
    return Section("P(outcome | s)", "chance events, with exact probabilities", rules.chances,
                   values=values)  # fmt: skip


def _rewards(game: LoadedGame, state: State, symbol: str, rules: Rules) -> Section | None:
    if not game.facts.has_rewards:
        return None
    values = tuple(
        f"R({symbol}, {game.action_name(state, choice)}, s') = {_shares(game, state, choice)}"
        for choice in islice(choices(game, state), MOST_ACTIONS)
    )
    return Section("R(s, a, s')", "what is paid at once", rules.rewards, values=values)


def _shares(game: LoadedGame, state: State, choice: int | tuple[int, ...]) -> str:
    paid = game.rewards(state, choice)
    if len(paid) == 1:
        return str(paid[0])
    pairs = zip(game.facts.players, paid, strict=True)
    return ", ".join(f"{name}: {amount}" for name, amount in pairs)


def _payoff(game: LoadedGame) -> Section | None:
    """How rewards and the outcome make up what a play is worth."""
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
    return Section("payoff", "what a whole play is worth", tuple(formulas))


def _terminal(game: LoadedGame, state: State, symbol: str, rules: Rules) -> Section:
    is_over = str(game.is_terminal(state)).lower()
    values = [f"TERMINAL-TEST({symbol}) = {is_over}"]
    return Section("TERMINAL-TEST(s)", rules.end_words, code=rules.end, values=tuple(values))


def _utility(game: LoadedGame, state: State, symbol: str) -> Section:
    low, high = game.facts.utility_bounds
    formulas = [f"{low} ≤ UTILITY(s, p) ≤ {high}"]
    if game.facts.is_zero_sum:
        one, other = game.facts.players
        formulas.append(f"UTILITY(s, {other}) = -UTILITY(s, {one})")
    if game.facts.endless is not None:
        pairs = zip(game.facts.players, game.facts.endless, strict=True)
        formulas += [f"UTILITY(endless play, {name}) = {payoff}" for name, payoff in pairs]
    if game.is_terminal(state):
        return Section("UTILITY(s, p)", "what each player gets at the end", tuple(formulas),
                       values=_utilities(game, state, symbol))  # fmt: skip
    sample = _sample_play(game, state)
    if sample is None:
        return Section("UTILITY(s, p)", "what each player gets at the end", tuple(formulas))
    names, end = sample
    values = (f"one end: z = {symbol} after {', '.join(names)}", *_utilities(game, end, "z"))
    return Section("UTILITY(s, p)", "what each player gets at the end", tuple(formulas),
                   values=values, pictures=(Picture("z", end, game.show(end)),))  # fmt: skip


def _utilities(game: LoadedGame, state: State, symbol: str) -> tuple[str, ...]:
    return tuple(
        f"UTILITY({symbol}, {player.name}) = {game.utility(state, player)}"
        for player in game.players
    )


def _sample_play(game: LoadedGame, state: State) -> tuple[list[str], State] | None:
    """A play to the end: always the first thing that can happen; None if that takes long."""
    names: list[str] = []
    for _ in range(LONGEST_SAMPLE):
        mover = game.current_player(state)
        if mover == TERMINAL:
            return names, state
        action: int | tuple[int, ...]
        if mover == CHANCE:
            action = game.chance_outcomes(state)[0][0]
        elif mover == SIMULTANEOUS:
            action = tuple(game.legal_actions(state, player)[0] for player in game.players)
        else:
            action = game.legal_actions(state)[0]
        names.append(game.action_name(state, action))
        state = game.result(state, action)
    return None


def _evaluation(game: LoadedGame, state: State, symbol: str, rules: Rules) -> Section | None:
    if not game.facts.has_evaluate:
        return None
    values = tuple(
        f"EVAL({symbol}, {player.name}) = {game.evaluate(state, player)}"
        for player in game.players
    ) if game.current_player(state) >= 0 else ()  # fmt: skip
    return Section("EVAL(s, p)", "an estimate where a search is cut off", rules.evaluation,
                   values=values)  # fmt: skip

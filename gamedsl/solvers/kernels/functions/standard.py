"""The names of `abi` for all kernels that a generated module does not define itself.

In: a compiled engine. Out: constants that select the parts of kernels used by a game, and the
functions of repetition rules and of simultaneous choices, for games that have these. An entry of
the past is the words of a state, the state's fingerprint for each repetition rule and, if the rules
differ in what they count, the set of rules for which the state counts as an occurrence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gamedsl.compiler.definitions import Definitions, numbers_of, state_values, words_from
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import (
    FALSE,
    INT,
    MANY,
    ROW,
    ZERO,
    Value,
    all_of,
    call,
    load,
    maximum,
    mixed,
    name,
    words_of,
)
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.printers.python import print_module
from gamedsl.compiler.python_code import run_source
from gamedsl.solvers.kernels.functions.joining import joining

RULE, GROUP, PLAYER, ACTION = (name(title, INT) for title in ("rule", "group", "player", "action"))
PLACE, FIRST, AT = name("place", INT), name("n", INT), name("at", INT)
PAST, OUT, SIZES = name("row", ROW), name("out", ROW), name("sizes", ROW)


def forbids(engine: CompiledEngine) -> bool:
    """Whether some repetition is illegal."""
    return any(rule.outcome is None for rule in engine.model.repeats)


def standard_definitions(engine: CompiledEngine) -> Definitions:
    """The constants and functions."""
    functions: list[Function] = []
    if engine.model.repeats:
        functions += [_fingerprint(engine), _store_state(engine)]
        exempting = [n for n, rule in enumerate(engine.model.repeats) if rule.exempts_unchanged]
        functions.append(_equal_to_past(engine, "same_position", range(len(engine.model.repeats))))
        functions.append(_equal_to_past(engine, "unchanged", exempting))
        functions.append(_repetition_payoffs(engine))
    if forbids(engine):
        functions.append(_legal_in_group(engine))
    if engine.model.facts.is_simultaneous:
        functions += [_legal_choices(engine), _apply_choice(engine)]
        functions.append(joining(engine.generated.layout, engine.generated.saved))
    if engine.model.facts.partners is None:
        return Definitions(_constants(engine), tuple(functions), {"side_of": "turn_of"})
    return Definitions(_constants(engine), (*functions, _side_of(engine)))


def _side_of(engine: CompiledEngine) -> Function:
    """`side_of(*state)`: the side of the player to move."""
    words = game_words(engine)
    f = FunctionBuilder("side_of", *words)
    turn = call("turn_of", words, INT, can_fail=False)
    for player, side in enumerate(engine.model.facts.sides):
        if side:
            with f.when(turn.eq(player)):
                f.give(1)
    f.give(0)
    return f.function


def game_words(engine: CompiledEngine, stem: str = "w") -> tuple[Value, ...]:
    """The words of a state of a game, as parameters."""
    return state_values(engine.generated.layout, engine.generated.saved, stem)


def row_definitions(engine: CompiledEngine) -> Definitions:
    """`STATE_WORDS`, and the functions that move a state between an array and words: `loaded(row,
    place)`, `put(*state, row, place)`."""
    words = game_words(engine)
    numbers = list(numbers_of(words))
    load_state = FunctionBuilder("loaded", PAST, PLACE)
    rows = (load(PAST, PLACE + n) for n in range(len(numbers)))
    load_state.give(words_of(words_from(rows, words)))
    put = FunctionBuilder("put", *words, PAST, PLACE)
    for n, number in enumerate(numbers):
        put.store(PAST, PLACE + n, number)
    put.give(0)
    return Definitions({"STATE_WORDS": len(numbers)}, (load_state.function, put.function))


def _constants(engine: CompiledEngine) -> dict[str, int | tuple[int, ...]]:
    rules, facts, generated = engine.model.repeats, engine.model.facts, engine.kernel_module
    return {
        "PLAYERS": len(engine.players),
        "ACTIONS": facts.action_count,
        "ROW_SIZE": row_size(engine),
        "IS_JOINT": facts.is_simultaneous,
        "EVENT_AT": generated.words if generated.events else -1,
        "LARGEST_EVENT": largest_event(engine),
        "CAN_WALK": generated.can_walk and not rules,
        "HAS_PICK": generated.can_walk and not generated.can_pick,
        "HAS_CANDIDATES": generated.can_pick,
        "STUCK_BY_HISTORY": generated.stuck_by_history,
        "RULES": len(rules),
        "RULE_TIMES": tuple(rule.times for rule in rules) or (0,),
        "RULE_ILLEGAL": tuple(int(rule.outcome is None) for rule in rules) or (0,),
        "IS_MARKED": is_marked(engine),
        "PRINTS": len(_state_numbers(engine)),
        "ENTRY": entry_size(engine),
        "GROUPS": generated.groups if forbids(engine) else 0,
        "NO_MOVES": len(generated.sites) - 1,
    }


def largest_event(engine: CompiledEngine) -> int:
    """The maximal number of outcomes of a chance event; 1 for games without chance."""
    return max((len(event.support) for event in engine.generated.events), default=1)


def row_size(engine: CompiledEngine) -> int:
    """`ROW_SIZE`: maximal number of values needed for the legal actions of one ply."""
    facts = engine.model.facts
    choices = facts.action_count + 1
    return (
        len(engine.players) + (len(engine.players) + 1) * choices
        if facts.is_simultaneous
        else choices
    )


def is_marked(engine: CompiledEngine) -> bool:
    """`IS_MARKED`: whether a state may count as an occurrence for some rules only: some rule
    exempts steps that leave the compared part unchanged, or rules compare different parts."""
    rules = engine.model.repeats
    return len(rules) > 1 or any(rule.exempts_unchanged for rule in rules)


def entry_size(engine: CompiledEngine) -> int:
    """`ENTRY`: numbers in an entry of the past."""
    return len(_state_numbers(engine)) + len(engine.model.repeats) + is_marked(engine)


# --- repetition ----------------------------------------------------------------------------------


def _state_numbers(engine: CompiledEngine) -> list[Value]:
    """The numbers of a state in an entry."""
    return list(numbers_of(state_values(engine.generated.layout)))


def _entry(engine: CompiledEngine) -> list[Value]:
    """The numbers of the state in the entry at a place of the past."""
    return [load(PAST, PLACE + n) for n in range(len(_state_numbers(engine)))]


def _fingerprint(engine: CompiledEngine) -> Function:
    """`fingerprint(rule, *state)`."""
    f = FunctionBuilder("fingerprint", RULE, *game_words(engine))
    for number in range(len(engine.model.repeats)):
        with f.when(RULE.eq(number)):
            f.give(_mixed_part(engine, number))
    f.give(0)
    return f.function


def _mixed_part(engine: CompiledEngine, rule: int) -> Value:
    """A number that depends on the part of a state that a rule compares."""
    term: Value = ZERO
    for number, mask in zip(_state_numbers(engine), _compared(engine, rule), strict=True):
        if mask:
            term = mixed(number & mask, term)
    return term


def entry_writer(engine: CompiledEngine) -> Callable[..., int]:
    """`store_state` as a function of Python."""
    definitions = Definitions(functions=(_store_state(engine),))
    writer: Callable[..., int] = run_source(f"{PYTHON}\n\n{print_module(definitions.module)}")[
        "store_state"
    ]
    return writer


def _store_state(engine: CompiledEngine) -> Function:
    """`store_state(*state, row, place)`."""
    f = FunctionBuilder("store_state", *game_words(engine), PAST, PLACE)
    numbers = _state_numbers(engine)
    for n, number in enumerate(numbers):
        f.store(PAST, PLACE + n, number)
    for rule in range(len(engine.model.repeats)):
        f.store(PAST, PLACE + len(numbers) + rule, _mixed_part(engine, rule))
    f.give(0)
    return f.function


def _compared(engine: CompiledEngine, rule: int) -> list[int]:
    """For each number of a state, the mask of the bits that a rule compares."""
    layout, compared = engine.generated.layout, engine.model.repeats[rule]
    masks = layout.masks_of(compared.variables, compared.with_turn)
    return [
        mask >> WORD * n & (1 << WORD) - 1
        for mask, count in zip(masks, layout.limbs, strict=True)
        for n in range(count)
    ]


def _equal(engine: CompiledEngine, rule: int, others: list[Value]) -> Value:
    """Whether a state and the state with the numbers `others` are equal in the part compared by a
    rule."""
    numbers = zip(_state_numbers(engine), others, _compared(engine, rule), strict=True)
    return all_of(((number ^ other) & mask).eq(0) for number, other, mask in numbers if mask)


def _equal_to_past(engine: CompiledEngine, title: str, rules: Iterable[int]) -> Function:
    """`same_position`, `unchanged(rule, *state, row, place)`: False for other rules."""
    f = FunctionBuilder(title, RULE, *game_words(engine), PAST, PLACE)
    for number in rules:
        with f.when(RULE.eq(number)):
            f.give(_equal(engine, number, _entry(engine)))
    f.give(FALSE)
    return f.function


def _repetition_payoffs(engine: CompiledEngine) -> Function:
    """`repetition_payoffs(rule, *state)`."""
    words = game_words(engine)
    f = FunctionBuilder("repetition_payoffs", RULE, *words)
    for number, rule in enumerate(engine.model.repeats):
        if rule.outcome is not None:
            with f.when(RULE.eq(number)):
                f.give(call(f"repeat_{number}", words, MANY))
    f.give(*(0 for _ in range(len(engine.players) + 1)))
    return f.function


def _legal_in_group(engine: CompiledEngine) -> Function:
    """`legal_in_group(group, *state, out, n)`."""
    parameters = (*game_words(engine), OUT, FIRST)
    f = FunctionBuilder("legal_in_group", GROUP, *parameters)
    for number in range(engine.generated.groups):
        with f.when(GROUP.eq(number)):
            f.give(call(f"group_{number}", parameters, INT))
    f.give(FIRST)
    return f.function


# --- simultaneous choices ------------------------------------------------------------------------


def _legal_choices(engine: CompiledEngine) -> Function:
    """`legal_choices(*state, out, n, sizes, at)`: for simultaneous choices: return 1, write each
    player's choices consecutively and their numbers to `sizes`; for a single mover: return 0, write
    the moves and their number to `sizes[at]`."""
    words, players = game_words(engine), range(len(engine.players))
    f = FunctionBuilder("legal_choices", *words, OUT, FIRST, SIZES, AT)
    both = len(engine.kernel_module.sites) - 2
    moved, last, largest = (name(title, INT) for title in ("moved", "last", "largest"))
    for group in range(engine.generated.groups):
        f.assign(moved, call(f"moves_{group}", (*words, OUT, FIRST), INT))
        f.assign(last, moved)
        f.assign(largest, 0)
        for player in players:
            end = call(f"choices_{group}_{player}", (*words, OUT, last), INT)
            size = f.local("size", end - last)
            f.store(SIZES, AT + player, size)
            f.assign(last, last + size)
            f.assign(largest, maximum(largest, size))
        with f.when(largest.gt(0)):
            for player in players:
                with f.when(load(SIZES, AT + player).eq(0)):
                    f.fault(both - len(players) + player)
            with f.when(moved.gt(FIRST)):
                f.fault(both)
            f.give(1)
        f.store(SIZES, AT, moved - FIRST)
        with f.when(moved.gt(FIRST)):
            f.give(0)
    f.give(0)
    return f.function


def _apply_choice(engine: CompiledEngine) -> Function:
    """`apply_choice(player, *state, *combined, action)`: `combined` with the effect of one further
    player's choice in `state`."""
    state, combined, chosen_words = (game_words(engine, stem) for stem in ("w", "v", "own"))
    f = FunctionBuilder("apply_choice", PLAYER, *state, *combined, ACTION)
    for player in range(len(engine.players)):
        with f.when(PLAYER.eq(player)):
            f.assign_all(chosen_words, call(f"apply_{player}", (*state, ACTION), MANY))
            f.give(call("joined", (*state, *combined, *chosen_words), MANY))
    f.give(words_of(combined))
    return f.function

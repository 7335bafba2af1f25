"""Generate the parts of `abi` that a generated module does not contain itself, as text.

In: a compiled engine. Out: constants that select the parts of kernels used by a game, and
functions: entries of the past, repetition rules, simultaneous choices, and substitutes for features
that the game lacks. An entry of the past is the words of a state and, if the repetition rules
differ in what they count, the set of rules for which the state counts as an occurrence.
"""

from __future__ import annotations

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.joining import constants, joining
from gamedsl.compiler.layout import WORD, Layout

NO_EVENTS = """\
@compiled
def draws(*state):
    return 0


@compiled
def draw(*state):
    return state[:-1]"""

NO_CANDIDATES = """\
candidates = legal


@compiled
def allowed(*arguments):
    return True"""

NO_PICK = """\
@compiled
def pick(*arguments):
    return pick_candidate(arguments[:-3], arguments[-3], arguments[-2], arguments[-1])"""

NO_WALK = """\
@compiled
def walk(*arguments):
    return 0"""


def forbids(engine: CompiledEngine) -> bool:
    """Whether some repetition is illegal."""
    return any(rule.outcome is None for rule in engine.model.repeats)


def abi_text(engine: CompiledEngine) -> str:
    """The constants and functions."""
    generated = engine.kernel_module
    parts = [
        _constants(engine),
        *([] if generated.events else [NO_EVENTS]),
        _store_state(engine),
        *_same_position(engine),
        *_terminal_payoffs(engine),
        _repetition_payoffs(engine),
        _legal_in_group(engine),
    ]
    if engine.model.facts.is_simultaneous:
        parts += [constants(_layout(engine)), joining(_layout(engine), _saved(engine))]
        parts += [_function("legal", [*_names(engine), "out", "n"], ["return n"])]
        parts += [_function("legal_count", _names(engine), ["return 0"])]
    parts += [_legal_choices(engine), _apply_choice(engine)]
    parts += [] if generated.can_pick else [NO_CANDIDATES]
    parts += [] if generated.can_walk else [NO_PICK, NO_WALK]
    return "\n\n\n".join(parts) + "\n"


def largest_event(engine: CompiledEngine) -> int:
    """The maximal number of outcomes of a chance event; 1 for games without chance."""
    return max((len(event.support) for event in engine.generated.events), default=1)


def _layout(engine: CompiledEngine) -> Layout:
    return engine.generated.layout


def _saved(engine: CompiledEngine) -> int:
    return engine.generated.saved


def _names(engine: CompiledEngine, stem: str = "w") -> list[str]:
    return [f"{stem}{n}" for n in range(engine.generated.words + _saved(engine))]


def _function(name: str, parameters: list[str], lines: list[str]) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"@compiled\ndef {name}({', '.join(parameters)}):\n{body}"


def _constants(engine: CompiledEngine) -> str:
    rules, facts, generated = engine.model.repeats, engine.model.facts, engine.kernel_module
    times = tuple(rule.times for rule in rules) or (0,)
    illegal = tuple(int(rule.outcome is None) for rule in rules) or (0,)
    lines = [
        f"PLAYERS = {len(engine.players)}",
        f"ACTIONS = {facts.action_count}",
        f"ROW_SIZE = {row_size(engine)}",
        f"IS_JOINT = {facts.is_simultaneous}",
        f"EVENT_AT = {generated.words if generated.events else -1}",
        f"LARGEST_EVENT = {largest_event(engine)}",
        f"CAN_WALK = {generated.can_walk and not rules}",
        f"RULES = {len(rules)}",
        f"RULE_TIMES = table({times})",
        f"RULE_ILLEGAL = table({illegal})",
        f"IS_MARKED = {is_marked(engine)}",
        f"ENTRY = {entry_size(engine)}",
        f"GROUPS = {generated.groups if forbids(engine) else 0}",
        f"NO_MOVES = {len(generated.sites) - 1}",
    ]
    return "\n".join(lines)


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
    return len(_parts(engine)) + is_marked(engine)


def _store_state(engine: CompiledEngine) -> str:
    """`store_state(state, row, place)`: write the words to an array."""
    lines = [f"row[place + {n}] = {_limb('w', *part)}" for n, part in enumerate(_parts(engine))]
    return _function("store_state", [*_names(engine), "row", "place"], [*lines, "return 0"])


Part = tuple[int, int, bool]
"""A word, the index of 64 bits in the word, and whether the word has more than 64 bits."""


def _parts(engine: CompiledEngine) -> list[Part]:
    """The parts of a state in an entry."""
    limbs = _layout(engine).limbs
    return [(word, n, count > 1) for word, count in enumerate(limbs) for n in range(count)]


def _limb(side: str, word: int, number: int, is_wide: bool) -> str:
    return f"limb({side}{word}, {number})" if is_wide else f"{side}{word}"


def _same_position(engine: CompiledEngine) -> list[str]:
    """`same_position(rule, state, row, place)`: whether a state and an entry are equal in the part
    compared by a rule; `unchanged(rule, state, before)`: whether a step leaves the variable watched
    by a rule unchanged."""
    layout, rules = _layout(engine), engine.model.repeats
    same, unchanged = [], []
    masks = []
    for number, rule in enumerate(rules):
        masks_of_words = layout.masks_of(rule.variables, rule.with_turn)
        tests, steps = [], []
        for n, (word, limb, is_wide) in enumerate(_parts(engine)):
            mask = masks_of_words[word] >> WORD * limb & ((1 << WORD) - 1)
            if mask:
                name, term = f"SEEN_{number}_{n}", _limb("w", word, limb, is_wide)
                masks.append(f"{name} = word({mask:#x})")
                tests.append(f"({term} ^ row[place + {n}]) & {name} == 0")
                steps.append(f"({term} ^ {_limb('v', word, limb, is_wide)}) & {name} == 0")
        same += [f"if rule == {number}:", f"    return {' and '.join(tests) or 'True'}"]
        if rule.exempts_unchanged:
            unchanged += [f"if rule == {number}:", f"    return {' and '.join(steps) or 'True'}"]
    return [
        *(["\n".join(masks)] if masks else []),
        _function(
            "same_position", ["rule", *_names(engine), "row", "place"], [*same, "return False"]
        ),
        _function(
            "unchanged",
            ["rule", *_names(engine), *_names(engine, "v")],
            [*unchanged, "return False"],
        ),
    ]


def _terminal_payoffs(engine: CompiledEngine) -> list[str]:
    """`terminal_payoffs(state, past, length)` and `terminal_payoffs_after`: `end` and `end_after`,
    which may ask whether the player to move is stuck."""
    names = _names(engine)
    parameters = [*names, "past", "length"]
    words = ", ".join(parameters if engine.generated.stuck_by_history else names)
    ends = [
        _function("terminal_payoffs", parameters, [f"return end({words})"]),
        _function("terminal_payoffs_after", parameters, [f"return end_after({words})"]),
    ]
    if not engine.generated.stuck_by_history:
        return ends
    room = engine.model.facts.action_count + 1
    now = f"legal_now(({', '.join(names)},), past, length, numbers({room}), 0)"
    return [_function("stuck_now", parameters, [f"return {now} == 0"]), *ends]


def _repetition_payoffs(engine: CompiledEngine) -> str:
    """`repetition_payoffs(rule, state)`: the payoffs of a repetition that ends the game."""
    words = ", ".join(_names(engine))
    lines = []
    for number, rule in enumerate(engine.model.repeats):
        if rule.outcome is not None:
            lines += [f"if rule == {number}:", f"    return repeat_{number}({words})"]
    nothing = ", ".join("0" for _ in range(len(engine.players) + 1))
    return _function(
        "repetition_payoffs", ["rule", *_names(engine)], [*lines, f"return ({nothing})"]
    )


def _legal_in_group(engine: CompiledEngine) -> str:
    """`legal_in_group(group, state, out, n)`: the legal actions of a group, without repetition
    rules."""
    words = ", ".join([*_names(engine), "out", "n"])
    lines = []
    for number in range(engine.generated.groups if forbids(engine) else 0):
        lines += [f"if group == {number}:", f"    return group_{number}({words})"]
    return _function("legal_in_group", ["group", *_names(engine), "out", "n"], [*lines, "return n"])


def _legal_choices(engine: CompiledEngine) -> str:
    """`legal_choices(state, out, n, sizes, at)`: for simultaneous choices: return 1, write each
    player's choices consecutively and their numbers to `sizes`; for a single mover: return 0, write
    the moves and their number to `sizes[at]`."""
    parameters = [*_names(engine), "out", "n", "sizes", "at"]
    words = ", ".join(_names(engine))
    if not engine.model.facts.is_simultaneous:
        return _function("legal_choices", parameters, ["return 0"])
    both = len(engine.kernel_module.sites) - 2
    first_idle = both - len(engine.players)
    lines = []
    for number in range(engine.generated.groups):
        lines += [f"moved = moves_{number}({words}, out, n)", "last = moved", "largest = 0"]
        for player in range(len(engine.players)):
            lines += [
                f"sizes[at + {player}] = choices_{number}_{player}({words}, out, last) - last",
                f"last += sizes[at + {player}]",
                f"largest = max(largest, sizes[at + {player}])",
            ]
        lines += ["if largest > 0:"]
        for player in range(len(engine.players)):
            lines += [
                f"    if sizes[at + {player}] == 0:",
                f"        fault({first_idle + player}, 0, 0)",
            ]
        lines += [
            "    if moved > n:",
            f"        fault({both}, 0, 0)",
            "    return 1",
            "sizes[at] = moved - n",
            "if moved > n:",
            "    return 0",
        ]
    return _function("legal_choices", parameters, [*lines, "return 0"])


def _apply_choice(engine: CompiledEngine) -> str:
    """`apply_choice(player, state, combined, action)`: `combined` with the effect of one further
    player's choice in `state`."""
    state, combined = _names(engine), _names(engine, "v")
    parameters = ["player", *state, *combined, "action"]
    lines = []
    if engine.model.facts.is_simultaneous:
        for player in range(len(engine.players)):
            lines += [
                f"if player == {player}:",
                f"    own = apply_{player}({', '.join([*state, 'action'])})",
                f"    return joined({', '.join([*state, *combined])}, *own)",
            ]
    return _function("apply_choice", parameters, [*lines, f"return ({', '.join(combined)},)"])

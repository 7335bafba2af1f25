"""Functions of one game that the kernels of `general_kernel` are written against, as text.

In: a compiled engine. Out: what `abi` calls entries of the past, repetition rules, choices made at
once. An entry of the past is the words of a state and a set of rules: those for which the state
counts as an occurrence.
"""

from __future__ import annotations

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.joining import constants, joining
from gamedsl.compiler.layout import WORD, Layout
from gamedsl.model.nodes import Repeat


def is_general(engine: CompiledEngine) -> bool:
    """Whether a game needs the general kernels: players choose at once, or there are repetition
    rules besides one by which a whole state that has occurred too often ends the game."""
    rules, facts = engine.model.repeats, engine.model.facts
    is_simple = not rules or (
        len(rules) == 1 and rules[0].variable is None and not facts.has_chance
    )
    is_wide = bool(rules) and engine.generated.layout.widest > WORD
    return facts.is_simultaneous or not is_simple or forbids(engine) or is_wide


def forbids(engine: CompiledEngine) -> bool:
    """Whether some repetition is illegal."""
    return any(rule.outcome is None for rule in engine.model.repeats)


def glue(engine: CompiledEngine) -> str:
    """The functions and constants."""
    parts = [
        _constants(engine),
        _kept(engine),
        *_same(engine),
        _ended(engine),
        _paid(engine),
        _grouped(engine),
    ]
    if engine.model.facts.is_simultaneous:
        parts += [constants(_layout(engine)), joining(_layout(engine), _saved(engine))]
        parts += [_function("legal", [*_names(engine), "out", "n"], ["return n"])]
    parts += [_offered(engine), _chosen(engine)]
    return "\n\n\n".join(parts)


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
    rules = engine.model.repeats
    times = tuple(rule.times for rule in rules)
    illegal = tuple(int(rule.outcome is None) for rule in rules)
    groups = engine.generated.groups if forbids(engine) else 0
    lines = [
        f"RULES = {len(rules)}",
        f"RULE_TIMES = table({times})",
        f"RULE_ILLEGAL = table({illegal})",
        f"ENTRY = {len(_parts(engine)) + 1}",
        f"GROUPS = {groups}",
        f"ACTIONS = {engine.model.facts.action_count}",
        f"IS_JOINT = {engine.model.facts.is_simultaneous}",
    ]
    return "\n".join(lines)


def _kept(engine: CompiledEngine) -> str:
    """`kept(state, row, place)`: the words written to an array."""
    lines = [f"row[place + {n}] = {_limb('w', *part)}" for n, part in enumerate(_parts(engine))]
    return _function("kept", [*_names(engine), "row", "place"], [*lines, "return 0"])


Part = tuple[int, int, bool]
"""A word, which 64 bits of it, and whether it has more."""


def _parts(engine: CompiledEngine) -> list[Part]:
    """The parts of a state as an entry has them."""
    limbs = _layout(engine).limbs
    return [(word, n, count > 1) for word, count in enumerate(limbs) for n in range(count)]


def _limb(side: str, word: int, number: int, is_wide: bool) -> str:
    return f"limb({side}{word}, {number})" if is_wide else f"{side}{word}"


def _watched(layout: Layout, rule: Repeat) -> dict[int, int]:
    """The words in which a rule sees something, and the bits that it sees."""
    if rule.variable is None:
        names = [field.name for field in layout.fields]
    else:
        place = layout.place_of(rule.variable)
        names = [n if isinstance(n, str) else n[1] for n in place.names]
    masks: dict[int, int] = {}
    for field in map(layout.field, names):
        masks[field.word] = masks.get(field.word, 0) | field.mask << field.shift
    return masks


def _same(engine: CompiledEngine) -> list[str]:
    """`same(rule, state, row, place)`: whether a rule sees the same in a state and in an entry;
    `unchanged(rule, state, before)`: whether a step changes nothing of the variable it watches."""
    layout, rules = _layout(engine), engine.model.repeats
    same, unchanged = [], []
    masks = []
    for number, rule in enumerate(rules):
        seen = _watched(layout, rule)
        tests, steps = [], []
        for n, (word, limb, is_wide) in enumerate(_parts(engine)):
            mask = seen.get(word, 0) >> WORD * limb & ((1 << WORD) - 1)
            if mask:
                name, own = f"SEEN_{number}_{n}", _limb("w", word, limb, is_wide)
                masks.append(f"{name} = word({mask:#x})")
                tests.append(f"({own} ^ row[place + {n}]) & {name} == 0")
                steps.append(f"({own} ^ {_limb('v', word, limb, is_wide)}) & {name} == 0")
        same += [f"if rule == {number}:", f"    return {' and '.join(tests) or 'True'}"]
        if rule.variable is not None:
            unchanged += [f"if rule == {number}:", f"    return {' and '.join(steps) or 'True'}"]
    return [
        *(["\n".join(masks)] if masks else []),
        _function("same", ["rule", *_names(engine), "row", "place"], [*same, "return False"]),
        _function(
            "unchanged",
            ["rule", *_names(engine), *_names(engine, "v")],
            [*unchanged, "return False"],
        ),
    ]


def _ended(engine: CompiledEngine) -> str:
    """`ended(state, past, length)`: `end`, which may ask whether the player to move is stuck."""
    given = [*_names(engine), "past", "length"]
    if not engine.generated.stuck_by_history:
        return _function("ended", given, [f"return end({', '.join(_names(engine))})"])
    state = f"({', '.join(_names(engine))},)"
    room = engine.model.facts.action_count + 1
    stuck = _function(
        "stuck_now",
        given,
        [f"return legal_now({state}, past, length, numbers({room}), 0) == 0"],
    )
    return stuck + "\n\n\n" + _function("ended", given, [f"return end({', '.join(given)})"])


def _paid(engine: CompiledEngine) -> str:
    """`paid(rule, state)`: what a repetition that ends the game pays."""
    words = ", ".join(_names(engine))
    lines = []
    for number, rule in enumerate(engine.model.repeats):
        if rule.outcome is not None:
            lines += [f"if rule == {number}:", f"    return repeat_{number}({words})"]
    nothing = ", ".join("0" for _ in range(len(engine.players) + 1))
    return _function("paid", ["rule", *_names(engine)], [*lines, f"return ({nothing})"])


def _grouped(engine: CompiledEngine) -> str:
    """`grouped(group, state, out, n)`: the legal actions of a group of moves, repetition apart."""
    words = ", ".join([*_names(engine), "out", "n"])
    lines = []
    for number in range(engine.generated.groups if forbids(engine) else 0):
        lines += [f"if group == {number}:", f"    return group_{number}({words})"]
    return _function("grouped", ["group", *_names(engine), "out", "n"], [*lines, "return n"])


def _offered(engine: CompiledEngine) -> str:
    """`offered(state, out, n, sizes, at)`: where players choose at once, 1, each player's choices
    written one behind the other and their numbers to `sizes`; where one moves, 0, its moves
    written and their number to `sizes[at]`."""
    parameters = [*_names(engine), "out", "n", "sizes", "at"]
    words = ", ".join(_names(engine))
    if not engine.model.facts.is_simultaneous:
        return _function("offered", parameters, ["return 0"])
    both = len(engine.generated.sites) - 2
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
    return _function("offered", parameters, [*lines, "return 0"])


def _chosen(engine: CompiledEngine) -> str:
    """`chosen(player, state, others, action)`: `others` with what the choice of one more player
    changes in `state`."""
    state, others = _names(engine), _names(engine, "v")
    parameters = ["player", *state, *others, "action"]
    lines = []
    if engine.model.facts.is_simultaneous:
        for player in range(len(engine.players)):
            lines += [
                f"if player == {player}:",
                f"    own = apply_{player}({', '.join([*state, 'action'])})",
                f"    return joined({', '.join([*state, *others])}, *own)",
            ]
    return _function("chosen", parameters, [*lines, f"return ({', '.join(others)},)"])

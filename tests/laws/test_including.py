"""A game split into a base and a difference is the same game when they are put together again."""

from __future__ import annotations

import random

import pytest

from gamedsl.model import Model, check
from gamedsl.reports.dump import dump
from gamedsl.source import SourceFile
from gamedsl.syntax import ast
from gamedsl.syntax.including.declared import Chunk, chunks
from gamedsl.syntax.including.expand import expand
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program
from tests.generation.games import game_text

NAME = "law.game"
JUNK = ("def junk(a, b) = a", "param junk_size = 3", "effect junk_it:\n    let x = 1")


def model_of(program: ast.Program) -> Model:
    model, diagnostics = check(program)
    assert model is not None, diagnostics
    return model


def lines_of(text: str, chunk: Chunk) -> str:
    return text[chunk.span.start : chunk.span.end]


def spoilt(declared: ast.Node, lines: str, dice: random.Random) -> str:
    """Something else of the same name."""
    match declared:
        case ast.ParamDecl(name=name):
            return f"param {name.text} = 77\n"
        case ast.DefDecl(name=name):
            return f"def {name.text} = 77\n"
        case ast.EffectDecl(name=name):
            return f"effect {name.text}:\n    let odd = 77\n"
        case ast.MoveDecl(name=name):
            return f"move {name.text}(odd in 1..77):\n    again\n"
        case ast.PlayersDecl():
            return "players Nobody, Noone\n"
        case ast.SetupDecl() | ast.EndDecl():
            return lines.split(":")[0] + ":\n    for p in players: let odd = 77\n"
        case ast.EndlessDecl():
            return "endless: draw\n"
    return lines


def split(text: str, dice: random.Random) -> tuple[str, str]:
    """A base, and what differs from it."""
    program, _ = parse(SourceFile(NAME, text))
    base, own = [], ['include "base.game"\n']
    for chunk in chunks(program.source, program):
        lines = lines_of(text, chunk)
        if isinstance(chunk.declared, ast.GameTitle | ast.ExpectDecl):
            own.append(lines)
        elif isinstance(chunk.declared, ast.StateDecl):
            kept, moved = split_state(text, chunk.declared, dice)
            base.append(kept)
            own += moved
        elif isinstance(chunk.declared, ast.Otherwise) or dice.random() < 0.5:
            base.append(lines)
        else:
            base.append(spoilt(chunk.declared, lines, dice))
            own.append(lines)
    junk = dice.sample(JUNK, dice.randrange(len(JUNK)))
    for lines in junk:
        base.insert(dice.randrange(len(base) + 1), f"{lines}\n")
        kind, name = lines.partition("(")[0].partition(":")[0].split()[:2]
        own.insert(1, f"without {kind} {name}\n")
    return "".join(base), "".join(own)


def split_state(text: str, state: ast.StateDecl, dice: random.Random) -> tuple[str, list[str]]:
    """The section with another initial value here and there, and the right ones."""
    base, own = ["state:\n"], []
    for variable in state.variables:
        lines = text[text.rfind("\n", 0, variable.span.start) + 1 : variable.span.end] + "\n"
        if dice.random() < 0.5:
            base.append(f"  {variable.name.text}: 70..77 = 70\n")
            own.append(f"state:\n{lines}")
        else:
            base.append("  " + lines.replace("\n    ", "\n  ").lstrip() if "diagram" in lines
                        else f"  {lines.strip()}\n")  # fmt: skip
    return "".join(base), own


@pytest.mark.parametrize("seed", range(10))
def test_a_split_game_is_the_whole_game(seed: int) -> None:
    text = game_text(seed)
    base, own = split(text, random.Random(seed))
    whole, _ = parse(SourceFile(NAME, text))
    variant, errors = parse(SourceFile(NAME, own))
    assert errors == ()
    program, found = expand(variant, lambda name, source: SourceFile(name, base))
    assert [one for one in found if one.is_error] == []
    assert dump(model_of(program)) == dump(model_of(whole))
    again, errors = parse(SourceFile(NAME, format_program(program)))
    assert errors == ()
    assert dump(model_of(again)) == dump(model_of(whole))

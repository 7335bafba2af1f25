"""Rules of a file in GDL with many instances: split, and relations unfolded, with the same play."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.game.loading import load
from gamedsl.source.text import source_from_text
from gamedsl.syntax.kif import ground as grounding
from gamedsl.syntax.kif.joins import FlatRule
from gamedsl.syntax.kif.read import read_rules
from gamedsl.syntax.kif.splitting import split

GAME = """(role left) (index 1) (index 2) (index 3) (index 4)
(<= (init (lamp ?x)) (index ?x))
(<= (legal left (press ?x ?y)) (index ?x) (index ?y) (true (lamp ?x)) (distinct ?x ?y))
(<= (next (lamp ?x)) (true (lamp ?x)) (does left (press ?y ?z)) (distinct ?x ?y))
(<= (lit ?a ?b) (true (lamp ?a)) (true (lamp ?b)) (index ?c) (distinct ?c ?a))
(<= terminal (not going))
(<= going (lit 1 2)) (<= going (lit 3 ?x) (distinct ?x 3))
(<= (goal left 100) (not (true (lamp 4)))) (<= (goal left 10) (true (lamp 4)))
"""


def _sizes() -> dict[str, int]:
    """By relation of the head, the number of instances."""
    source = source_from_text(GAME)
    ground = grounding.ground(source, read_rules(source))
    sizes: dict[str, int] = {}
    for head, bodies in ground.bodies.items():
        name = ground.atoms[head][0]
        sizes[name] = sizes.get(name, 0) + len(bodies)
    return sizes


def test_split_and_unfolded_rules_mean_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Fewer instances of `next`, no relation `lit`; the solution stays."""
    path = tmp_path / "lamps.kif"
    path.write_text(GAME, "utf-8")
    whole, solution = _sizes(), gamedsl.solve(load(path))
    monkeypatch.setattr(grounding, "MOST_OF_A_RULE", 30)
    monkeypatch.setattr(grounding, "MOST_BEFORE_UNFOLDING", 16)
    sizes, other = _sizes(), gamedsl.solve(load(path))
    assert sizes["next lamp"] < whole["next lamp"] / 2
    assert "lit" in whole
    assert "lit" not in sizes
    assert (other.outcome, other.positions) == (solution.outcome, solution.positions)


def test_a_part_of_a_split_rule_is_not_unfolded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the rule is split, and its part unfolded, for ever."""
    monkeypatch.setattr(grounding, "MOST_OF_A_RULE", 6)
    monkeypatch.setattr(grounding, "MOST_BEFORE_UNFOLDING", 10)
    source = source_from_text(GAME.replace("(index ?c) (distinct ?c ?a)", "(true (lamp ?c))"))
    ground = grounding.ground(source, read_rules(source))
    assert any(relation == "next-lamp-1" for relation, _ in ground.atoms)


def test_a_part_has_fewer_variables_than_the_rule() -> None:
    """Else the part is split in turn, for ever: the part of `?c` needs the literal with `?d`."""
    text = "(<= (lit ?a ?b) (not (true (dim ?b ?c ?a))) (index ?c) (true (cell ?a ?b ?d)))"
    (rule,) = read_rules(source_from_text(text))
    flat = [
        grounding.Flat(part.predicate, part.arguments, part.is_positive)
        for part in (rule.head, *rule.body)
    ]
    names = iter(["p", "q"])
    part, rest = split(FlatRule(rule.span, flat[0], (*flat[1:],)), lambda: next(names))
    assert [literal.relation for literal in part.body] == ["true"]
    assert split(part, lambda: next(names)) == [part]
    assert "?d" not in str(rest.body)

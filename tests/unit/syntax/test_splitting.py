"""Rules of a file in GDL with many instances: split, and relations unfolded, with the same play."""

from __future__ import annotations

from itertools import count, product
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.game.loading import load
from gamedsl.source.text import Span, source_from_text
from gamedsl.syntax.kif import ground as grounding
from gamedsl.syntax.kif.joins import Fact, Flat, FlatRule
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


VALUES = ("1", "2", "3")
ARITIES = {"a": 1, "b": 2, "c": 2, "d": 3}


def _random_rule(draw: Random) -> FlatRule:
    """A rule of a few variables, each of them bound by a positive literal."""
    variables = [f"?{letter}" for letter in "uvwxyz"[: draw.randint(2, 6)]]

    def literal(relation: str, *, is_positive: bool) -> Flat:
        return Flat(relation, (*draw.choices(variables, k=ARITIES[relation]),), is_positive)

    body = [literal(draw.choice("abcd"), is_positive=True) for _ in range(draw.randint(1, 4))]
    bound = sorted({variable for part in body for variable in part.arguments})
    variables = bound
    body += [literal(draw.choice("abcd"), is_positive=False) for _ in range(draw.randint(0, 2))]
    body += [
        Flat("distinct", (*draw.choices(bound, k=2),), True) for _ in range(draw.randint(0, 2))
    ]
    draw.shuffle(body)
    head = Flat("h", (*draw.sample(bound, draw.randint(0, min(2, len(bound)))),), True)
    return FlatRule(Span(0, 0), head, (*body,))


def _heads(rule: FlatRule, facts: dict[str, set[Fact]]) -> set[Fact]:
    """The instances of the head that follow from facts; each variable is to be bound."""
    variables = sorted({each for part in (rule.head, *rule.body) for each in part.arguments})
    sure = [part for part in rule.body if part.is_positive and part.relation != "distinct"]
    assert {*variables} == {each for part in sure for each in part.arguments}
    heads = set()
    for values in product(VALUES, repeat=len(variables)):
        known = dict(zip(variables, values, strict=True))
        for part in rule.body:
            fact = tuple(known[each] for each in part.arguments)
            is_distinct = part.relation == "distinct"
            holds = fact[0] != fact[1] if is_distinct else fact in facts[part.relation]
            if holds != part.is_positive:
                break
        else:
            heads.add(tuple(known[each] for each in rule.head.arguments))
    return heads


def test_split_rules_have_the_instances_of_the_rule() -> None:
    draw, are_split = Random(4), 0
    for _ in range(120):
        rule = _random_rule(draw)
        facts = {
            relation: {fact for fact in product(VALUES, repeat=size) if draw.random() < 1 / 2}
            for relation, size in ARITIES.items()
        }
        names = count()
        parts = split(rule, lambda names=names: f"p{next(names)}")
        are_split += len(parts) > 1
        wanted = _heads(rule, facts)
        for part in parts:
            facts[part.head.relation] = _heads(part, facts)
        assert facts["h"] == wanted
    assert are_split > 30

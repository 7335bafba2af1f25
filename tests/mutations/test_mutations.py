"""The tool that plants mistakes: what it changes, and that a change reaches the tests."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.mutations.changes import Change, changes
from tests.mutations.groups import GROUPS, lots_of, modules_of
from tests.mutations.trial import Copy

TEXT = '''\
"""A text: 1 < 2."""
Kind = dict[str, int | None]
def f(a: int | None, b: list[int]) -> int:
    """é < a"""
    assert a > 1
    if not a or b[0] < -3:
        b.append(
            "é", a,
        )
        raise ValueError(f"{a + 1}")
    b[0] += min(len(b), 2_000, key=id)
    return [x for x in b if x is None]
'''
FOUND = [
    (6, "`not a` becomes `a`"),
    (6, "`not a or b[0] < -3` becomes `not (not a or b[0] < -3)`"),
    (6, "`not a or b[0] < -3` becomes `not a and b[0] < -3`"),
    (6, "`b[0] < -3` becomes `b[0] <= -3`"),
    (6, "`0` becomes `1` in `if not a or b[0] < -3:`"),
    (6, "`-3` becomes `3`"),
    (6, "`3` becomes `4` in `if not a or b[0] < -3:`"),
    (7, "`b.append('é', a)` becomes `pass`"),
    (11, "`b[0] += min(len(b), 2000, key=id)` becomes `b[0] -= min(len(b), 2000, key=id)`"),
    (11, "`b[0] += min(len(b), 2000, key=id)` becomes `pass`"),
    (11, "`0` becomes `1` in `b[0] += min(len(b), 2_000, key=id)`"),
    (11, "`min` becomes `max`"),
    (12, "`x is None` becomes `x is not None`"),
]


def test_each_change_is_made_in_its_place_and_nowhere_else() -> None:
    assert [(one.line, one.title) for one in changes(TEXT)] == FOUND
    for one in changes(TEXT):
        changed = one.apply(TEXT)
        ast.parse(changed)
        content = TEXT.encode()
        assert changed.encode().startswith(content[: one.start])
        assert changed.encode().endswith(content[one.end :])
        assert changed != TEXT


def test_every_group_has_modules_and_tests() -> None:
    for group in GROUPS.values():
        assert modules_of(group)
        assert lots_of(group)


def test_a_change_is_noticed_and_undone(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.root.mkdir()
    copy.kept_first.mkdir()
    module = copy.root / "counted.py"
    module.write_text("def two() -> int:\n    return 1 + 1\n", "utf-8")
    test = "from counted import two\ndef test_two(): assert two() == 2\n"
    copy.root.joinpath("test_counted.py").write_text(test, "utf-8")
    change = Change(2, 29, 34, "(1 - 1)", "")
    assert copy.changed("counted.py", change, ["test_counted.py"], 60).noticed_by.endswith(
        "::test_two"
    )
    assert copy.tried(["test_counted.py"], 60).noticed_by == ""

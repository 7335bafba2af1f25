"""Which modules are changed, and which tests must notice.

In: the tests and modules of this repository. Out: for each module the tests that go with it: those
near it first, since most changes are noticed there, then those that hold it against others.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

LOCKSTEP = (
    "tests/differential/test_errors.py",
    "tests/differential/test_recursion.py",
    "tests/differential/test_rewards.py",
    "tests/differential/test_once_different.py",
    "tests/differential/test_wrapped_boards.py",
    "tests/differential/test_generated_games.py",
)
QUICK = tuple(
    f"tests/unit/compiler/test_{name}.py" for name in ("simplify", "passes", "narrowed", "prune")
)
"""Tests of single passes, which take seconds."""
FACTS = ("tests/facts/test_textbook.py", "tests/facts/test_published_values.py")


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are tested alike.

    Attributes:
        modules: patterns of files.
        near: the tests that are run first.
        far: the tests that are run if these have noticed nothing.
    """

    modules: tuple[str, ...]
    near: tuple[str, ...]
    far: tuple[str, ...]


def _solvers(room: str) -> Group:
    return Group(
        (f"gamedsl/solvers/{room}/*.py",),
        (f"tests/unit/solvers/{room}",),
        ("tests/unit/solvers", "tests/laws", "tests/unit/archive", *FACTS),
    )


GROUPS = {
    "interpreter": Group(
        ("gamedsl/interpreter/*.py", "gamedsl/model/semantics/*.py", "gamedsl/model/operations.py"),
        ("tests/unit/interpreter", "tests/language/test_by_example.py", "tests/unit/game"),
        (*LOCKSTEP, "tests/unit/model", "tests/unit/solvers", *FACTS),
    ),
    "passes": Group(
        ("gamedsl/compiler/passes/*.py",),
        ("tests/golden/compiler", *QUICK, "tests/golden/games", "tests/unit/compiler"),
        (*LOCKSTEP, "tests/differential/test_left_out.py"),
    ),
    **{
        room: _solvers(room)
        for room in ("graphs", "exact", "chance", "equilibria", "textbook", "montecarlo")
    },
}


def modules_of(group: Group) -> list[str]:
    """The files of a group, from the root on."""
    found = [path for pattern in group.modules for path in sorted(ROOT.glob(pattern))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def lots_of(group: Group) -> tuple[tuple[str, ...], ...]:
    """The tests that are run together: the near ones, then each of the far ones by itself. A room
    need not have tests of its own."""
    near = tuple(path for path in group.near if (ROOT / path).exists())
    return (near, *((path,) for path in group.far)) if near else tuple((p,) for p in group.far)

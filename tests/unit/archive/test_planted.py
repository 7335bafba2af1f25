"""Solutions with another number or fact under right checksums: told, and never raised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.archive import format as format_module
from gamedsl.archive.equilibria import SavedEquilibrium, verify_equilibrium
from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.saved import open_solution, save_solution
from gamedsl.archive.verification import verify_solution
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.solvers.planner import solve
from tests.hostile.solution_plants import trouble_with
from tests.unit.archive.test_saved import solved

PLANTS: dict[str, tuple[str, str, Any]] = {
    "a payoff that there is not": ("induction", "table", 3),
    "a payoff that there is not, among images": ("symmetry", "table", 3),
    "a number that no position has": ("interval", "table", 10**6),
    "no free entry": ("induction", "table", None),
    "positions that nobody can make": ("puzzle", "positions", 10**6),
    "bounds for fewer positions": ("interval", "lower", []),
    "another cut": ("retrograde", "shift", 64),
    "payoffs that are no numbers": ("induction", "payoffs", [["1/0", "0"]]),
    "rules that are none": ("induction", "rules", 1),
    "no parameters": ("puzzle", "parameters", None),
    "a scale of nothing": ("interval", "scale", ["0", "0"]),
    "symmetries by number": ("symmetry", "symmetries", [1]),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_what_is_planted_under_a_right_checksum_is_told_and_never_raised(
    plant: str, tmp_path: Path
) -> None:
    case, name, planted = PLANTS[plant]
    game, solution = solved(case)
    path = tmp_path / "planted.solution"
    save_solution(game, solution, path)
    assert trouble_with(path) == ""
    file = SolutionFile(path)
    arrays = {key: list(array) for key, array in file.arrays.items()}
    facts = file.facts
    if name == "table":
        stored = facts["stored"]
        shift, width = stored["shift"], len(stored["limbs"]) + (stored["shift"] == stored["marks"])
        for place in range(width - 1, len(arrays["table"]), width):
            if arrays["table"][place] >> shift or planted is None:
                arrays["table"][place] |= (1 if planted is None else planted) << shift
    elif name in arrays:
        arrays[name] = planted
    else:
        holder = facts if name in facts else facts["stored"]
        assert name in holder
        holder[name] = planted
    write_solution(path, facts, arrays)
    assert trouble_with(path) == ""
    assert not is_right(path)


def is_right(path: Path) -> bool:
    """Whether `verify` finds nothing in a solution."""
    try:
        saved = open_solution(path)
        if isinstance(saved, SavedEquilibrium):
            return verify_equilibrium(saved).fault is None
        return verify_solution(saved).fault is None
    except SolutionFileError:
        return False


@pytest.mark.parametrize(
    ("claim", "planted"),
    [
        ("gain", "-1"),
        ("gain", "1e9999999"),
        ("error_bound", None),
        ("value", ["1"]),
        ("behaviour", [[["1/0"]]]),
        ("status", 1),
    ],
)
def test_a_claim_of_an_equilibrium_that_cannot_be_is_told(
    claim: str, planted: Any, tmp_path: Path
) -> None:
    path = tmp_path / "planted.solution"
    game = gamedsl.load("kuhn_poker")
    save_solution(game, solve(game), path)
    assert is_right(path)
    facts = SolutionFile(path).facts
    facts["equilibrium"][claim] = planted
    write_solution(path, facts, {})
    assert trouble_with(path) == ""
    assert not is_right(path)


def test_the_move_that_a_file_takes_is_one_of_those_that_there_are(tmp_path: Path) -> None:
    game, solution = solved("interval")
    path = tmp_path / "planted.solution"
    save_solution(game, solution, path)
    file = SolutionFile(path)
    arrays = {name: list(array) for name, array in file.arrays.items()}
    arrays["choices"] = [9 for _ in arrays["choices"]]
    write_solution(path, file.facts, arrays)
    saved = open_solution(path)
    assert not isinstance(saved, SavedEquilibrium)
    with pytest.raises(SolutionFileError, match="it takes move number 9 of 1"):
        saved.assessed(saved.table.root)


@pytest.mark.parametrize("plant", ["beyond the file", "one block many times"])
def test_an_index_of_blocks_that_are_not_there_is_damage(plant: str, tmp_path: Path) -> None:
    game, solution = solved("induction")
    path = tmp_path / "planted.solution"
    save_solution(game, solution, path)
    content = path.read_bytes()
    begin, length = format_module.FOOTER.unpack(content[-format_module.FOOTER.size :])[1:3]
    found = json.loads(content[begin : begin + length])
    index = found["arrays"]["table"]
    if plant == "beyond the file":
        index["blocks"][0][0] = 1 << 40
    else:
        index["blocks"] *= 300_000
        index["length"] = len(index["blocks"]) * format_module.BLOCK
    text = json.dumps(found).encode()
    head = (format_module.MAGIC, begin, len(text), format_module.digest_of(text))
    own = format_module.digest_of(format_module.FOOTER.pack(*head, bytes(format_module.DIGEST)))
    path.write_bytes(content[:begin] + text + format_module.FOOTER.pack(*head, own))
    with pytest.raises(SolutionFileError, match="do not lie where they were written"):
        open_solution(path)

"""Steps of whole sets of squares: one step by shifts, many steps on and on by doubling.

In: a set, and for each square the square that a step leads to. Out: the squares from which one
step, or any number of them over passable squares, leads into the set.
"""

from __future__ import annotations

from gamedsl.compiler.square_sets import MOST_SHIFTS, Bits, SquareSets
from gamedsl.model.values import Square, Vector

MOST_RELATIVES = 12
"""At most so many shifts lead from a set to all relatives of its squares."""
Steps = dict[int, int]
"""For each square the one a step on, both by number; not in it, if that is off the board."""


class Fills(SquareSets):
    """Steps on the board of one game."""

    def _steps(self, way: Vector) -> Steps:
        """Where steps in one direction lead."""
        board = self.model.board
        assert board is not None
        number_of = {square: n for n, square in enumerate(board.squares)}
        found = {}
        for square, n in number_of.items():
            target = board.step(square, way)
            if isinstance(target, Square):
                found[n] = number_of[target]
        return found

    def shifted(self, bits: Bits, targets: Steps) -> Bits | None:
        """The squares whose target lies in a set: a shift and a mask for each distance."""
        if isinstance(bits, int):
            return sum(1 << n for n, target in targets.items() if bits >> target & 1)
        masks = _by_distance(targets)
        if len(masks) > MOST_SHIFTS:
            return None
        terms = [
            f"({_back(bits, distance)} & {self.program.number(mask)})"
            for distance, mask in masks.items()
        ]
        if not terms:
            return 0
        return terms[0] if len(terms) == 1 else f"({' | '.join(terms)})"

    def related(self, bits: Bits, rows: list[int]) -> Bits | None:
        """The squares one of whose relatives, given as a mask for each square, is in a set."""
        if isinstance(bits, int):
            return sum(1 << n for n, row in enumerate(rows) if row & bits)
        masks: dict[int, int] = {}
        for n, row in enumerate(rows):
            for other in range(row.bit_length()):
                if row >> other & 1:
                    masks[other - n] = masks.get(other - n, 0) | 1 << n
        if len(masks) > MOST_RELATIVES:
            return None
        name = self.program.fresh("among")
        terms = [f"({_back(name, d)} & {self.program.number(m)})" for d, m in masks.items()]
        if not terms:
            return 0
        return self.program.call(
            "beside",
            lambda: self.program.writer.line(f"return {' | '.join(terms)}"),
            {name: bits},
        )

    def filled(self, goals: Bits, passable: Bits, steps: Steps) -> Bits | None:
        """The squares from which steps, all but the last over passable squares, reach a goal."""
        masks = _by_distance(steps)
        if not masks:
            return 0
        if len(masks) > MOST_SHIFTS:
            return None
        goal, way = self.program.fresh("goal"), self.program.fresh("open")
        length = _longest(steps)

        def write() -> None:
            if len(masks) == 1 and length > 2:
                ((distance, mask),) = masks.items()
                self._fill_by_doubling(goal, way, distance, self.program.number(mask), length)
            else:
                self._fill_by_steps(goal, way, steps, length)

        given = {goal: self.bits_text(goals), way: self.bits_text(passable)}
        return self.program.call("leads", write, given)

    def _fill_by_steps(self, goal: str, way: str, steps: Steps, length: int) -> None:
        writer = self.program.writer
        writer.assign("grown", self.bits_text(self.shifted(goal, steps) or 0))
        for _ in range(length - 1):
            more = self.shifted("grown", steps)
            if more is not None:
                text = self.bits_text(more).replace("grown", f"(grown & {way})")
                writer.line(f"grown |= {text}")
        writer.line("return grown")

    def _fill_by_doubling(
        self, goal: str, way: str, distance: int, sources: str, length: int
    ) -> None:
        """Parallel prefix (Kogge-Stone): `near` has the passable squares from which fewer than
        `reached` steps lead to a goal, `clear` those that begin `run` passable squares in a row."""
        writer = self.program.writer
        writer.assign("clear", f"{way} & {sources}")
        writer.assign("near", f"{_back(goal, distance)} & clear")
        reached, run = 2, 1
        while reached < length:
            if length - reached > run and reached > 2:
                writer.line(f"clear &= {_back('clear', distance * run)}")
                run *= 2
            writer.line(f"near |= {_back('near', distance * run)} & clear")
            reached += run
        writer.line(f"return {_back(f'(near | {goal})', distance)} & {sources}")


def _back(text: str, distance: int) -> str:
    """A set moved so that what lies `distance` further on comes to lie here."""
    if distance == 0:
        return text
    return f"({text} >> {distance})" if distance > 0 else f"({text} << {-distance})"


def _by_distance(targets: Steps) -> dict[int, int]:
    """The squares that lead on, for each difference of numbers."""
    masks: dict[int, int] = {}
    for n, target in targets.items():
        masks[target - n] = masks.get(target - n, 0) | 1 << n
    return masks


def _longest(steps: Steps) -> int:
    """How many steps can be made one after the other."""
    longest = 0
    for start in steps:
        length, at = 0, start
        while at in steps:
            at, length = steps[at], length + 1
        longest = max(longest, length)
    return longest

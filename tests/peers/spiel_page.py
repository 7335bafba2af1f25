"""`docs/peers.md`: which games of OpenSpiel have a file, and what a comparison of both came to.

Written by `python -m tests.peers openspiel --write`; the lines of games that were not played again
stay as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.peers.played import Played
from tests.peers.spiel_notes import DIFFERENCES, OUT_OF_REACH
from tests.peers.spiel_table import ROWS, VARIANTS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "peers.md"
HEAD = """\
# Games in lockstep with OpenSpiel

[OpenSpiel](https://github.com/google-deepmind/open_spiel) is a collection of games, with rules by
other authors. The games of the table exist in both systems. Both play the same random plays; in
every position the players to move, the legal actions, the outcomes of chance with their
probabilities, the end of the play and the payoffs are compared, and of games marked *knowledge*
also whether each player tells the same histories apart.

`python -m tests.peers openspiel [GAME ...] --plays 100 --write` plays and writes this page.

| OpenSpiel | file | lines | compared | plays, plies | differences |
|---|---|---|---|---|---|
"""


def write(peer: str, played: Iterable[Played]) -> None:
    """Write the page, with a new line for this game."""
    lines = _lines()
    lines[peer] = _line(peer, list(played))
    rows = [lines[row.peer] for row in ROWS if row.peer in lines]
    PAGE.write_text(HEAD + "\n".join(rows) + "\n" + _differences() + _without(), "utf-8")


def _lines() -> dict[str, str]:
    if not PAGE.is_file():
        return {}
    rows = re.findall(r"^\| `(.*?)` \|.*$", PAGE.read_text("utf-8"), re.M)
    whole = re.findall(r"^\| `.*$", PAGE.read_text("utf-8"), re.M)
    return dict(zip(rows, whole, strict=True))


def _line(peer: str, played: list[Played]) -> str:
    row = VARIANTS[peer]
    given = ", ".join(f"{name} = {value}" for name, value in row.parameters.items())
    place = row.path.relative_to(PAGE.parents[1])
    text = row.path.read_text("utf-8").splitlines()
    rules = sum(1 for line in text if line.strip() and not line.startswith(("#", "expect")))
    aside = Counter(one.reason for one in played if one.reason != "over" and not one.difference)
    differing = sum(1 for one in played if one.difference)
    told = "; ".join(f"{count}: {reason}" for reason, count in aside.most_common())
    cells = (
        f"`{peer}`",
        (f"`{place}`" if place.parent.name == "openspiel" else f"[{row.file}](../{place})")
        + f" with {given}" * (bool(given) and len(given) < 60),
        str(rules),
        "knowledge" if row.observed else "",
        f"{len(played)}, {sum(one.plies for one in played)}",
        (f"{differing} of {len(played)}" if differing else "0") + f" ({told})" * bool(told),
    )
    return f"| {' | '.join(cells)} |"


def _differences() -> str:
    noted = [f"- `{name}`: {said}" for name, said in sorted(DIFFERENCES.items())]
    return "\n## Where the rules differ\n\n" + "\n".join(noted) + "\n"


def _without() -> str:
    lines = [f"- `{name}`: {reason}" for name, reason in sorted(OUT_OF_REACH.items())]
    return "\n## Games without a file\n\n" + "\n".join(lines) + "\n"

"""The page of the atlas: a table of all rows, and a section for each game.

In: rows as JSON has them. Out: Markdown. Nothing is solved here.
"""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

INTRODUCTION = """# Atlas of solved games

Is a game solved, and what is its value? Each row is a shipped game, with parameters for which a
result is published, solved from its rule file and compared with the publication.

* *Status* (Allis 1994): *strong*: the value of every position that can be reached is known; *weak*:
  the value of the first position, and how to play from there; *ultra-weak*: the value of the first
  position alone; *open*: not solved here within the time of a row (2 to 100 seconds of computing,
  for one row 3,600); the row has what `gamedsl estimate` tells of the size; *refused*: no solver
  here applies.
* *Length*: plies of best play from the first position; *longest*: the most plies of best play from
  a position that is won.
* *Branching*: the mean number of actions in a position of random plays.
* *Time* (of computing) and *memory* (the peak of the whole process) are of one core of a busy
  machine, and no test compares them.
* *Published*: how many claims of the file agree, of how many; in brackets the comment at the claim,
  or the nearest comment above, as a rule the source.

A game without a row has not been solved yet. `python -m benchmarks.atlas` writes this page from
[atlas.json](atlas.json); with `--quick` the command solves the cheap rows again, and fails if a
result differs.
"""
HEAD = (
    "| game | status | value | best first moves | positions | length | longest | branching | "
    "time | memory | published |\n|---|---|---|---|---:|---:|---:|---:|---:|---:|---|"
)


def page(rows: dict[str, Row]) -> str:
    """The whole page."""
    parts = [INTRODUCTION, summary(rows), HEAD]
    parts += [_line(key, rows[key]) for key in sorted(rows)]
    names = sorted({row["game"] for row in rows.values()})
    parts += [
        _section(name, {k: r for k, r in rows.items() if r["game"] == name}) for name in names
    ]
    return "\n".join(parts) + "\n"


def summary(rows: dict[str, Row]) -> str:
    """How many rows there are of each status, and how many claims agree."""
    kinds = ("strong", "weak", "ultra-weak", "open", "refused")
    counts = {kind: sum(row["status"] == kind for row in rows.values()) for kind in kinds}
    claims = [claim for row in rows.values() for claim in row["claims"]]
    agree = sum(claim["agrees"] is True for claim in claims)
    words = ", ".join(f"{number} {kind}" for kind, number in counts.items() if number)
    return f"{len(rows)} rows: {words}; {agree} of {len(claims)} published claims agree.\n"


def _line(key: str, row: Row) -> str:
    longest = max(
        (plies for words, plies in row.get("longest", {}).items() if "draw" not in words),
        default="",
    )
    cells = [
        f"[{key}](#{row['game']})",
        row["status"],
        row["outcome"] if row["status"] not in {"open", "refused"} else "",
        _best(row),
        f"{row['positions']:,}" if row.get("positions") else "",
        _text(row.get("plies")),
        _text(longest),
        _text(row.get("branching")),
        f"{row['seconds']:.2f} s" if row["status"] not in {"open", "refused"} else "",
        f"{row['bytes'] / 1e6:,.0f} MB" if row["status"] not in {"open", "refused"} else "",
        _agreement(row),
    ]
    return table_cells(*cells)


def table_cells(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _best(row: Row) -> str:
    best, many = row.get("best", []), row.get("best_of", [0, 0])
    if many[0] == many[1] > 1:
        return f"all {many[0]}"
    more = f", ... ({many[0]} in all)" if many[0] > len(best) else ""
    return ", ".join(best) + more


def _agreement(row: Row) -> str:
    claims = row["claims"]
    if not claims:
        return ""
    agree = sum(claim["agrees"] is True for claim in claims)
    return f"{agree} of {len(claims)}" if agree < len(claims) else f"all {agree}"


def _section(name: str, rows: dict[str, Row]) -> str:
    first = next(iter(rows.values()))
    lines = [f'\n<a id="{name}"></a>\n\n## {first["title"]}\n', f"`gamedsl games {name}`\n"]
    for key in sorted(rows):
        row = rows[key]
        lines.append(f"- **{key}**: {row['status']}, {row['outcome']}{_how(row)}")
        lines += [
            f"  - `{claim['claim']}` {_verdict(claim['agrees'])}{_source(claim['source'])}"
            for claim in row["claims"]
        ]
    return "\n".join(lines)


def _how(row: Row) -> str:
    if "needs" in row:
        return f"; needed: {row['needs']}"
    longest = [f"{words} in {plies}" for words, plies in sorted(row.get("longest", {}).items())]
    by = f"; by {row['solver']}" if "solver" in row else ""
    return by + (f"; longest best play: {', '.join(longest)} plies" if longest else "")


def _verdict(agrees: bool | None) -> str:
    return {True: "agrees", False: "**differs**", None: "not decided"}[agrees]


def _source(source: str) -> str:
    return f" ({source})" if source else ""


def _text(entry: object) -> str:
    return "" if entry is None else str(entry)

"""More games than the tests play: `python -m tests.peers [PEER] [NAME ...] --plays 100`.

PEER is chess, draughts, openspiel or kif (files in GDL against clingo); without one, all that are
installed. Prints a line for each game: how many plays, how they ended, what occurred in them, what
differed. The exit status is 1 if anything did. `python -m tests.peers openspiel --write` writes the
lines into `docs/peers.md`; with names, the lines of these games alone are written again.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec

from tests.peers.played import Played

PEERS = {
    "chess": ("chess", "tests.peers.chess_lockstep"),
    "draughts": ("draughts", "tests.peers.draughts_lockstep"),
    "openspiel": ("pyspiel", "tests.peers.spiel_table"),
    "kif": ("clingo", "tests.peers.kif_lockstep"),
}
"""Of each peer the module, and the module of its games."""


def main() -> None:
    """Play, and say what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="PEER or NAME", help="these games alone")
    parser.add_argument("--plays", type=int, default=100, help="plays of each game")
    parser.add_argument("--write", action="store_true", help="write docs/peers.md")
    chosen = parser.parse_intermixed_args()
    is_peer = bool(chosen.names) and chosen.names[0] in PEERS
    peers, names = (chosen.names[:1], chosen.names[1:]) if is_peer else ([*PEERS], chosen.names)
    differences = 0
    for peer in peers:
        installed, module = PEERS[peer]
        if find_spec(installed) is None:
            print(f"{installed} is not installed")
            continue
        games = import_module(module)
        for name in games.VARIANTS:
            if names and not {name, *getattr(games, "names_of", lambda _: ())(name)} & {*names}:
                continue
            played = games.plays(name, chosen.plays)
            differences += sum(1 for one in played if one.difference)
            print(f"{name}: {told(played)}", flush=True)
            if chosen.write and peer == "openspiel":
                import_module("tests.peers.spiel_page").write(name, played)
    raise SystemExit(bool(differences))


def told(played: Iterable[Played]) -> str:
    """One line about the plays of a game, and a line for each difference."""
    played = list(played)
    differing = [one.difference for one in played if one.difference]
    reasons = Counter(one.reason for one in played if not one.difference)
    noted = sum((one.notes for one in played), Counter[str]())
    counts = [f"{count} {what}" for what, count in (*reasons.most_common(), *noted.items())]
    plies = f"{len(played)} plays, {sum(one.plies for one in played)} plies"
    return "\n  ".join([f"{plies}; {', '.join(counts)}; {len(differing)} differences", *differing])


if __name__ == "__main__":
    main()

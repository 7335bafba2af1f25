"""`gamedsl compare`."""

from __future__ import annotations

import json

from tests.doors.conftest import Run


def test_the_shortest_difference_is_printed(run: Run) -> None:
    done = run("compare", "nim", "nim_misere", "-q")
    assert done.status == 1
    assert done.out == (
        "here    Nim\n"
        "there   Misere Nim\n"
        "names   matched by the same names\n"
        "differ  the game pays 1, -1 here, -1, 1 there\n"
        "after   take(1, 3)  take(2, 4)  take(3, 5)\n"
    )


def test_a_parameter_is_set_where_the_game_has_it(run: Run) -> None:
    same = run("compare", "nim", "nim", "-D", "sizes=[1,2]", "--json", "-q")
    assert same.status == 0
    assert json.loads(same.out) == {
        "schema_version": 1,
        "games": ["Nim", "Nim"],
        "names_matched_by": "the same names",
        "names_unmet": [[], []],
        "same": True,
        "whole": True,
        "positions": 8,
        "plays": 0,
        "difference": None,
    }


def test_what_is_wrong_is_said(run: Run) -> None:
    for arguments, status, said in (
        (("nim", "nmi"), 2, "did you mean the shipped game `nim`?"),
        (("nim", "nim", "-D", "foo=3"), 2, "neither game has a parameter `foo`"),
        (("nim", "nim", "--name", "take"), 2, "write NAME=NAME"),
        (("nim", "openspiel:no_such_game"), 2, "OpenSpiel"),
    ):
        done = run("compare", *arguments, "-q")
        assert (done.status, said in done.err) == (status, True), done
        assert "Traceback" not in done.err

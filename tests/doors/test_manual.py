"""The help of commands: sections, examples that are understood, old spellings with a note."""

from __future__ import annotations

import re
import shlex

import pytest

from gamedsl.cli.app import GROUPS
from gamedsl.cli.manual.examples import EXAMPLES
from gamedsl.cli.manual.layout import RARE, SECTIONS
from gamedsl.cli.manual.spellings import OLD, OLD_OF_ALL

from .conftest import Run

COMMANDS = [name for names in GROUPS.values() for name in names]
WITHOUT_OPTIONS = {"lsp", "playground"}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_ends_with_examples_whose_options_exist(run: Run, command: str) -> None:
    shown = run(command, "--help-all").out
    assert len(EXAMPLES[command]) == 2 or command in WITHOUT_OPTIONS
    for example in EXAMPLES[command]:
        assert example in shown
        program, name, *words = shlex.split(example)
        assert (program, name) == ("gamedsl", command)
        options = [word for word in words if re.match(r"--?[a-z]", word)]
        offered = shown.partition("\nExamples:")[0]
        assert all(re.search(rf"(^|[ ,/]){option}\b", offered, re.MULTILINE) for option in options)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_no_types_of_the_library_and_no_braces(run: Run, command: str) -> None:
    shown = run(command, "--help-all").out
    assert not re.search(r"<(int|str|float|list|path)|range>|x>=|\{FILE", shown)


def test_rare_options_wait_for_help_all(run: Run) -> None:
    for command, options in RARE.items():
        for option in options if command else ():
            assert option not in run(command, "--help").out
            assert option in run(command, "--help-all").out
    assert "--help-all" not in run("rule", "--help").out


def test_options_of_a_kind_stand_together(run: Run) -> None:
    shown = run("solve", "--help-all").out
    titles = [f"\n{title}:" for title in ("Arguments", "Options", *SECTIONS, "Examples")]
    places = [shown.index(title) for title in titles]
    assert places == sorted(places)
    assert shown.index("\nLimits:") < shown.index("--memory") < shown.index("\nOutput:")


@pytest.mark.parametrize(("command", "old"), [*OLD, ("perft", "--max-seconds")])
def test_an_old_spelling_works_and_says_the_new_one(run: Run, command: str, old: str) -> None:
    new = OLD.get((command, old)) or OLD_OF_ALL[old]
    value = {"--stage": "ast", "--output-format": "concise"}.get(old, "2")
    words = (command, "nim", *(("2",) if command == "perft" else ()))
    before, after = run(*words, f"{old}={value}"), run(*words, new, value)
    assert before.out[:40] == after.out[:40]
    assert before.status == after.status
    assert f"note: {old} is now {new}" in before.err
    assert "note:" not in after.err


def test_a_game_in_place_of_a_command_is_told_where_it_goes(run: Run) -> None:
    assert "as in: gamedsl play tic_tac_toe" in run("tic_tac_toe").err
    assert "No such command 'sovle'" in run("sovle").err


def test_a_word_behind_two_dashes_is_no_option(run: Run) -> None:
    assert "note:" not in run("show", "--", "--stage").err


def test_a_tree_that_is_cut_says_by_which_limit(run: Run) -> None:
    cut = " ".join(run("tree", "tic_tac_toe", "--depth", "3", "--max-nodes", "50").out.split())
    assert "depth 2 is not drawn: the limit is 50 nodes (--max-nodes)" in cut
    assert "--max-nodes" not in run("tree", "tic_tac_toe", "--depth", "1").out

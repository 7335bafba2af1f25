"""Measured figures in the documents: each has a row that says what reproduces it."""

from __future__ import annotations

import pytest

from benchmarks.figures import documents, numbers, outcomes, table


def test_no_measured_figure_stands_in_a_document_without_a_row() -> None:
    """`python -m benchmarks.figures --missing` lists them; what nothing reproduces is taken out."""
    left = [
        f"{name}:{figure.line}: {figure.written}"
        for name in documents.documents()
        for figure in table.missing(name)
    ]
    assert not left


def test_each_sentence_of_the_table_stands_in_its_document() -> None:
    assert [f"{row.document}: {row.says}" for row in table.stale()] == []


def test_each_figure_is_reproduced_in_one_way() -> None:
    for row in table.rows():
        assert row.figures, row.says
        assert sum(map(bool, (row.run, row.constants, row.published))) == 1, row.says
        assert bool(row.run) == bool(row.find), row.says
        assert row.run is None or row.run.startswith(("gamedsl ", "python -m benchmarks")), row.run


def test_limits_in_the_documents_are_those_of_the_code() -> None:
    assert [fault for row in table.rows() for fault in outcomes.checked_constants(row)] == []


def test_figures_with_a_band_are_written_within_it() -> None:
    assert [fault for row in table.rows() for fault in outcomes.checked_bands(row)] == []


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("it takes 0.3 s and 1.8 GB", ["0.3 s", "1.8 GB"]),
        (
            "takes half a\nminute, 586 million positions",
            ["half a\nminute", "586 million positions"],
        ),
        ("twenty seconds, 3 % more, 29 times as fast", ["twenty seconds", "3 %", "29 times"]),
        ("of 2,644 some", ["2,644"]),
        ("decision 40, figure 5.2, in 1912, 2^64 moves, a second place, 8 plies", []),
        ("say `--time 90 s`\n\n```\n5,478 positions\n```\n", []),
    ],
)
def test_what_counts_as_a_measured_figure(text: str, figures: list[str]) -> None:
    assert [figure.written for figure in documents.figures_in("README.md", text)] == figures


@pytest.mark.parametrize(
    ("written", "read", "agrees"),
    [
        ("69,763,700", "69763700", True),
        ("69,763,701", "69763700", False),
        ("3.9 million", "3,945,711", True),
        ("4.0 million", "3,945,711", False),
        ("two", "2", True),
    ],
)
def test_a_count_agrees_to_the_digits_that_are_written(
    written: str, read: str, agrees: bool
) -> None:
    assert numbers.agree(written, read) is agrees


def test_a_count_that_differs_is_a_fault_and_a_time_outside_its_band_is_told() -> None:
    row = table.Row(
        "README.md",
        "{5,478} positions in {2 s}",
        "gamedsl solve tic_tac_toe",
        ({"read": r"all ([\d,]+) positions"}, {"seconds": [0.1, 10]}),
        (),
        None,
        1,
    )
    right = outcomes.Outcome("all 5,478 positions", 1.0, 50.0)
    assert outcomes.checked(row, right) == ([], [])
    wrong, outside = outcomes.checked(row, outcomes.Outcome("all 5,479 positions", 20.0, 50.0))
    assert [len(wrong), len(outside)] == [1, 1]
    assert outcomes.checked(row, outcomes.Outcome("stopped", 1.0, 50.0))[0]

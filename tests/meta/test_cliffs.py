"""The games that `benchmarks.cliffs` changes have the lines that the changes replace."""

import pytest

from benchmarks.cliffs import BASES, Base, probes


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.name)
def test_every_change_of_a_base_is_another_text(base: Base) -> None:
    texts = [probe.text for probe in probes(base)]
    assert len(set(texts)) == len(texts) > 1

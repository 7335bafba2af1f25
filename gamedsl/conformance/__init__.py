"""Floor 5: laws of the Game contract, and the search for mistakes that only play reveals."""

from gamedsl.conformance.explore import PlayTest, explore
from gamedsl.conformance.laws import Violation, broken_laws

__all__ = ["PlayTest", "Violation", "broken_laws", "explore"]

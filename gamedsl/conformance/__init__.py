"""Floor 5: laws that any Game must obey, and the search for mistakes that only playing shows."""

from gamedsl.conformance.explore import PlayTest, explore
from gamedsl.conformance.laws import Violation, broken_laws

__all__ = ["PlayTest", "Violation", "broken_laws", "explore"]

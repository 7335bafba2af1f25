"""Floor 5: laws that any Game must obey, and the search for mistakes that only playing shows."""

from gamedsl.conformance.explore import Exploration, explore
from gamedsl.conformance.laws import Violation, broken_laws

__all__ = ["Exploration", "Violation", "broken_laws", "explore"]

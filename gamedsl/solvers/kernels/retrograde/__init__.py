"""Games in which play can return: retrograde analysis."""

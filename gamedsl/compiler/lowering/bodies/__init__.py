"""Bodies, endings and moves: what becomes a function of a state."""

"""Bodies, endings and moves: the parts of a game that become functions of a state."""

"""Values of games and moves, and best play."""

"""What a game or a move is worth, and how to play it."""

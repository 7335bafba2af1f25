"""Floor 5: algorithms that solve and count games, on the game contract alone; a room a kind."""

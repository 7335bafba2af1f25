"""Floor 5: algorithms that solve and count games, on the game contract alone; one a file."""

"""What is what in a picture of a game, and its parts as text."""

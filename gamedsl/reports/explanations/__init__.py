"""The formal definition of a game as a textbook gives it, and a view for each format."""

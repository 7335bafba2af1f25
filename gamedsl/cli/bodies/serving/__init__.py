"""Bodies of the commands that serve other programs."""

"""Native work on batches of positions of games whose every move goes one way."""

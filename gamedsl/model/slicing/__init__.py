"""Other rules for the same play: without what has no effect, and with arrays as boards."""

"""The steps of a textbook algorithm, visit by visit."""

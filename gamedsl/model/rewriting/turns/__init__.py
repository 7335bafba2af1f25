"""Turns that are all alike, found in the rules (decision 79)."""

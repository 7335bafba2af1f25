"""Matches between players at equal processor time: paired openings, colours swapped, intervals."""

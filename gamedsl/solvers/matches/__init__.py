"""Matches between players: paired openings, seats changed, intervals."""

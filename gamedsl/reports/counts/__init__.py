"""Counts of plays: perft, and how random plays end."""

"""Counts of plays: perft, and the results of random plays."""

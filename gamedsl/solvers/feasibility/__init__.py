"""Estimates, before solving begins, of the time and memory needed to solve a game."""

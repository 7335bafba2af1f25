"""Puzzles of one player by kernels: shortest solutions."""

"""Puzzles of one player by kernels: shortest solutions, by layers, or by IDA* with databases."""

"""Positions that are images of one another, for kernels."""

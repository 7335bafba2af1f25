"""Kernels that look at a part of what play can reach: the value of one position, proved."""

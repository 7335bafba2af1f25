"""Kernels that prove the value of one position without visiting all reachable positions."""

"""Symmetric images of positions, for kernels."""

"""Backward induction with means and matrix games."""

"""Grundy values of impartial games."""

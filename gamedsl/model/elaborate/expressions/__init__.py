"""Expressions: a file for each kind, and one that sends each to its own."""

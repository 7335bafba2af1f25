"""Plays kept as text with headers."""

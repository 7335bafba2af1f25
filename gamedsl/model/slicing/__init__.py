"""Slices of rules: what is left when variables and chance events without effect are left out."""

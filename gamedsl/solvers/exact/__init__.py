"""Solves whole state graphs backwards from the endings, with exact values for every state."""

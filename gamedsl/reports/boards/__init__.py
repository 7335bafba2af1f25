"""Boards as pictures or text: the contents, the geometry, and the drawing."""

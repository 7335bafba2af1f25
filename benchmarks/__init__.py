"""Measurements of gamedsl beside hand-written code and other libraries; see README.md."""

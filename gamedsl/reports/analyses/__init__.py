"""The designer's report, and puzzles: text, JSON, HTML."""

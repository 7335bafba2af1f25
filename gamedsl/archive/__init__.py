"""Solutions as files: written, opened, and verified."""

from gamedsl.archive.saved import SavedSolution, open_solution, save_solution

__all__ = ["SavedSolution", "open_solution", "save_solution"]

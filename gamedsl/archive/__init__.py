"""Solutions as files: written, opened, and verified."""

from gamedsl.archive.equilibria import SavedEquilibrium
from gamedsl.archive.saved import SavedSolution, open_solution, save_solution

__all__ = ["SavedEquilibrium", "SavedSolution", "open_solution", "save_solution"]

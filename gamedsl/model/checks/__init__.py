"""Checks of typed bodies and of whole games; the results are diagnostics only."""

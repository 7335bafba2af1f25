"""The canonical order of the states in a finished table."""

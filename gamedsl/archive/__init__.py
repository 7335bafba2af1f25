"""Solutions as files: written, opened, and verified."""

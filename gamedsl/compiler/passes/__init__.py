"""Passes from module to module, one per file; `pipeline` defines the order."""

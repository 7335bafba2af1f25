"""Passes from module to module, a file per pass; `pipeline` defines the order."""

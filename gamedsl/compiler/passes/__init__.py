"""Passes: from module to module, each alone in its file; `pipeline` has their order."""

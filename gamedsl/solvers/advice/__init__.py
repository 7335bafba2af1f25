"""Advice on single positions within a time limit: proofs, with parallel estimates."""

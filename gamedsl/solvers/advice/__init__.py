"""Advice on single positions within a time limit: proofs, with estimates beside them."""

"""Solving layer by layer, beyond memory: one algorithm over batches of positions and a store."""

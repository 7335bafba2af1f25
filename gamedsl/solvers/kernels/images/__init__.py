"""Tables with one entry for all images of a state, and keys without redundant quantities."""

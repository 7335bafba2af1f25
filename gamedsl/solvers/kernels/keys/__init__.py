"""Keys that say of a state no more than what states of its game differ in."""

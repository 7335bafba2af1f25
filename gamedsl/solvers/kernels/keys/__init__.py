"""Keys of states without the quantities implied by invariants of the game."""

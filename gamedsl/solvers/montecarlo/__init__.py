"""Random playouts, and decisions estimated from playouts."""

"""Floor 6: results in, text or JSON-ready data out. Pure functions: never solves, never prints."""

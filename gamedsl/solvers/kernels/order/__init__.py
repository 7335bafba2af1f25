"""The order in which the states of a finished table lie."""

"""State graphs: reachable states, successors, components, counts, information of players."""

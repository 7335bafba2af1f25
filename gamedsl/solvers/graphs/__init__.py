"""What play can reach: states and their successors, components, counts, who knows what."""

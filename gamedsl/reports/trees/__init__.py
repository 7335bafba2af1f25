"""Game trees: what is drawn of one, what is known of its nodes, and a view for each format."""

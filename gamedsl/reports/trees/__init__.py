"""Game trees: the drawn nodes, the known values, and a view for each format."""

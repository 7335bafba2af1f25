"""The formal definition of a game in the textbook's form, and a view for each format."""

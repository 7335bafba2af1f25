"""Tables in which images of a state are one entry, and keys say what states differ in."""

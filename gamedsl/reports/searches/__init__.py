"""What an algorithm of the textbook did, visit by visit."""

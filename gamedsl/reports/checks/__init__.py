"""The findings of reading, checking and playing a file."""

"""What reading, checking and playing found out about a file."""

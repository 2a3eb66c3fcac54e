"""What people fill in about themselves and their clubs."""

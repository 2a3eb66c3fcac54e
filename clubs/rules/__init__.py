"""What can be said of people and clubs without a database."""

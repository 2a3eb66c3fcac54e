"""What is told at a table besides its log: each module says what it does with news of its kind (``rooms.on_news``)."""

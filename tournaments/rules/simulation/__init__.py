"""Whole events played with the real rules of draws, deals and tables, to count what goes wrong."""

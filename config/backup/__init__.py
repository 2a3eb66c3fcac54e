"""Backup and restore: one command each (docs/operations.md)."""

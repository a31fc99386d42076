"""Parts of screens, one per file."""

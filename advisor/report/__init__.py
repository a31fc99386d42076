"""The ticket: one document tree, one module per target format."""

"""The session file: its format, safe writing, replay."""

"""Which question comes next and what an answer means; no screen, no file."""

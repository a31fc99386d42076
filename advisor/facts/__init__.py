"""What is known: quantities, the declared facts, answers and scenarios."""

"""Speed, printed as ratios to a named thing measured in the same run; nothing here asserts a time.

Run with ``python -m tests.benchmarks``.
"""

"""Rules, levers, the plan, thresholds, and the one door to an advice."""

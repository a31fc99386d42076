"""Pure functions over arrays: burst, save, lost work, optimum, money."""

"""One module per command: prepare(parser), run(arguments) -> exit code."""

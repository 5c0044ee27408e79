"""What checks have to say, for whoever ran the test cell: the first fault of each."""

sentences: list[str] = []

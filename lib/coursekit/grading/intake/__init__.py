"""Taking in what students hand in: what the course knows, what came, and what had to be mended."""

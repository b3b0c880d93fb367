"""A second, independent referee with a game generator and fault planters; imports neither systems nor geometry."""

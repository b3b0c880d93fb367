"""Re-simulates the recorded log of a tabletop game and says what it finds."""

__version__ = "0.1.0"

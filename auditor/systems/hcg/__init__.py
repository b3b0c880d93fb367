"""Horus Heresy collectible card game: windows, hidden cards, printed abilities. Source: the HCG catalogue."""

"""The games, a folder each. A game knows the core and geometry, and no other game."""

"""Exact geometry: hexes, lines, fans, paths; inches. Integers, rationals and their roots decide; knows no game."""

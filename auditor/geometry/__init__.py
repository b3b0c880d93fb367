"""Exact geometry: hexes, lines, fans, paths. Integers and rationals decide; knows no game."""

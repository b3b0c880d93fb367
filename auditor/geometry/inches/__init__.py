"""Exact planar geometry in inches: lengths, shapes, moves, coherency, sight, arcs, charges. Knows no game.

Rational numbers and roots of them decide; floats only sort out what is far from a limit.
"""

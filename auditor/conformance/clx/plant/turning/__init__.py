"""Faults under one option of a reading: situations in which the options differ, played by one and judged by another."""

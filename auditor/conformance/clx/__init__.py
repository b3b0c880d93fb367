"""A second opinion on Calixtus' Edition, written from the catalogue alone.

Nothing here imports `auditor.systems` or `auditor.geometry`; the data packs are read as data.
"""

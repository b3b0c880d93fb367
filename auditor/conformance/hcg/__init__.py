"""The second opinion on the card game: a table that plays by the catalogue, whole legal games, planted faults.

Written from the rules catalogue alone; of the ruleset it shares nothing but the packs of cards and decks, which are data.
"""

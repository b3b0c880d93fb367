"""The replay and audit of any game: records, rulings, findings, verdicts. Standard library only; knows no game."""

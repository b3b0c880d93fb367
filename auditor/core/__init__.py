"""The replay and audit of any game: records, rulings, findings, verdicts. Standard library, and
orjson in `canonical`; knows no game."""

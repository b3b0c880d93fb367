"""The rules of Betrayal at Calth, a module per chapter of the catalogue."""

"""Betrayal at Calth: a hex board, exact lines of sight. Source: the Calth catalogue."""

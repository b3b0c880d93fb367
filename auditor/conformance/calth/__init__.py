"""A second opinion on Betrayal at Calth: a slow, plain referee, a game generator and a fault planter.

Written from the rules catalogue alone. It shares no code with the auditor that it is held
against, so where the two disagree at least one of them is wrong.
"""

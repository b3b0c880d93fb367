"""Second opinions, a folder a game: a slow, plain referee, a generator of games and planters of faults.

They are written from the rules catalogues alone and share no code with the auditor that they are held against. A
game's folder knows no other game's.
"""

"""What one replay may cost and hold, so that no log can hold a worker for ever. Stated here and nowhere else."""

MOST_CELLS = 256
"""How often one event may be judged again, over all lanes."""
MOST_LANES = 64
"""Assignments of carried readings that are followed at once."""
MOST_SNAPSHOTS = 1000
"""Positions kept at once for undos to come."""
MOST_DRAWN = 300
"""Faults that get their boards, effect and causes; a record with more has lost its players' trust anyway."""
MOST_SEEN = 10_000
"""Faults that are listed; what is beyond is counted."""
LEAST_SPARE, SPARE_PER_EVENT, MOST_SPARE = 50_000, 20, 400_000
"""Judgings beyond one an event that a whole record may cost."""
MOST_ERRORS, MOST_NOTES, MOST_UNCHECKED = 2_000, 5_000, 5_000
"""Entries of each list of an audit; what is beyond them is counted in `more` and changes no verdict."""
LEAST_STEPS, STEPS_PER_EVENT, MOST_STEPS = 20_000, 20, 200_000
"""Events replayed once more in search of what faults led to: at least, for each event of the record, and at most. What
findings only follow, and what each changed, are sought with as many each."""
MOST_NEAREST = 200
"""Names of a record that fit none that is known, for which the nearest one is sought."""
MOST_RESPELLED = 60_000
"""Names of a record that are not written as they are known, which are looked at: lines with more of them are not read."""

MOST_WORK = 1_800_000
"""What it may cost to judge a record (`work`); about so many microseconds. Beyond that nothing more of it is judged."""
LEAST_OTHERWISE = 3
"""Accusations and errors from which on it is asked whether a record is written in another way. One or two may be faults that
another way to read the dice would only excuse; of three, of both players, it has to take away all."""
MOST_WORK_OTHERWISE = 1_800_000
"""What it may cost to judge a record in other ways of writing, all of them together."""
MOST_WORK_ON_CAUSES = 2_000_000
"""What it may cost to find out what faults led to; the worst of the example games takes two thirds of it."""
MOST_WORK_ON_MEANING = 2_000_000
"""What it may cost to find out what a line may have meant."""
MOST_WORK_ON_DRAWINGS = 1_000_000
"""What it may cost to draw what has to be shown of faults, and to compare what they changed."""
WORK_OF_AN_EVENT, WORK_OF_A_JUDGING, WORK_OF_A_FAULT = 30, 20, 100
"""An event resolved and judged once, where the game does not say; one look more of one rule; a fault that is kept."""
WORK_OF_AN_OPENING, WORK_OF_ITS_VALUES = 8, 100
"""Of each event: where a record that is told otherwise is opened anew; where its values are put among those of their kinds."""
MOST_POSITIONS = 400_000
"""Things on the boards of all positions that are kept for undos."""
MOST_BYTES_DRAWN, MOST_BYTES_OF_FINDINGS, MOST_BYTES_OF_NOTES = 8_000_000, 7_000_000, 2_000_000
"""Bytes of JSON: of the boards in an audit, of all else in its findings, and of its notes. With the lists above an audit
comes to less than 20 MB."""
LOOKED_BACK, MOST_SUSPECTS, MOST_OF_IT = 60, 8, 2
"""Lines before an accusation among which those are sought that share a name with it, and how many are looked at; how many that
name a thing that it is about, however far back."""
NEARBY, LOOKED_FOR_LIKE, MOST_VALUES = 30, 60, 40
"""Lines around one within which numbers are taken for another, and like lines for a missing one; values of one name."""
MOST_ACCUSED_VALUES = 120
"""The same of a name that an accusation is about."""
NEAR_BEFORE = 8
"""Lines before one that came out of turn among which the line that is missing may have stood."""
LOOKED_AHEAD, MOST_TAKEN_LATER = 120, 6
"""Lines after an accusation whose accusations say of what a missing line may be, and so many names of them."""
MOST_MADE, MOST_LACKING = 4_096, 96
"""Lines of which a rule says that one of them may be missing: those that it makes, and of these those that are tried."""
MOST_NAMED = 4
"""Names in a line of which another one may be missing: a longer list is about none of them."""
MOST_TAKEN = 4
"""The names of which a missing line may be that names two."""
MOST_INSTEAD = 4
"""Values in place of one that explain something, beyond which no other one is looked for."""
MOST_EXPLAINED, MOST_SUPPOSED, MOST_FOLLOWED = 40, 400, 24
"""Accusations that an explanation is sought for; for each, changes of a line that are judged, and records followed on."""
LEAST_RETOLD, RETOLD_PER_EVENT, MOST_RETOLD = 2_000, 2, 30_000
"""Events judged or gone through in search of explanations: at least, for each event of the record, and at most."""
MOST_COMPARED = 4
"""Explanations that take away as much, of which it is asked what each leaves open."""
SHARE_OF_THE_FIRST, SHARE_OF_ANOTHER = 3, 6
"""Each accusation has an equal part of what is left of these, or if that is more one in so many: the first explains most."""
KEPT_EVERY, MOST_KEPT = 8, 2_000
"""Positions kept on the way, to see whether a supposed record is as it was again: every so many events, and at most."""
BESIDE, MORE = 2, 5
"""How much more far-fetched than the likeliest explanation another one may be, to be named beside a lone accusation; and to be
sought since it may explain more."""
ALIKE = 16
"""How many lines that may be missing, or names for one that is accused, are about as far-fetched as each other; the next so
many are the more so."""

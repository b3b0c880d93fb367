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

MOST_WORK = 3_500_000
"""What it may cost to judge a record (`work`); about so many microseconds. Beyond that nothing more of it is judged."""
MOST_WORK_ON_CAUSES = 3_000_000
"""What it may cost to find out what faults led to; the worst of the example games takes less than half of it."""
MOST_WORK_ON_DRAWINGS = 1_000_000
"""What it may cost to draw what has to be shown of faults, and to compare what they changed."""
WORK_OF_AN_EVENT, WORK_OF_A_JUDGING, WORK_OF_A_FAULT = 30, 20, 30
"""An event resolved and judged once, where the game does not say; one look more of one rule; a fault that is kept."""
MOST_POSITIONS = 400_000
"""Things on the boards of all positions that are kept for undos."""
MOST_BYTES_DRAWN, MOST_BYTES_OF_FINDINGS, MOST_BYTES_OF_NOTES = 8_000_000, 7_000_000, 2_000_000
"""Bytes of JSON: of the boards in an audit, of all else in its findings, and of its notes. With the lists above an audit
comes to less than 20 MB."""

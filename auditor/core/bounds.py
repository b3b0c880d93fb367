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

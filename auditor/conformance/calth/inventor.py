"""The second opinion on Calth, as commands and the conformance run know it."""

from __future__ import annotations

from auditor.conformance.calth.check import check
from auditor.conformance.calth.commands import write_faulty_game, write_game, write_mutated_game
from auditor.conformance.calth.near import NEAR, NUMBERS, numbers
from auditor.conformance.calth.plant import PLANTABLE, findings_of
from auditor.conformance.calth.plant.booked import planted
from auditor.conformance.calth.plant.readings import NEVER, PLANTABLE_READINGS, plant_reading
from auditor.conformance.calth.relations import RELATIONS
from auditor.conformance.calth.tables import READINGS
from auditor.conformance.calth.variety import legal_game, legal_lines, settings_of
from auditor.conformance.inventor import Inventor

INVENTOR = Inventor(
    readings=READINGS,
    plantable=PLANTABLE,
    plantable_readings=PLANTABLE_READINGS,
    never=NEVER,
    near=NEAR,
    number_rules=NUMBERS,
    check=check,
    findings_of=findings_of,
    numbers=numbers,
    legal_game=legal_game,
    legal_lines=legal_lines,
    settings_of=settings_of,
    planted=planted,
    plant_reading=plant_reading,
    relations=RELATIONS,
    write_game=write_game,
    write_faulty_game=write_faulty_game,
    write_mutated_game=write_mutated_game,
)

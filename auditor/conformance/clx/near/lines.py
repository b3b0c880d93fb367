"""One step from a fault: the numbers that an event claims."""

from __future__ import annotations

from auditor.conformance.clx.near.attacks import SHOTS
from auditor.conformance.clx.table import Json

CLAIMS: dict[str, tuple[tuple[str, str], ...]] = {
    "turn_start": (("claimed_night", "CLX-GAME-08"),),
    "roll_off": (("claimed_winner", "CLX-GAME-02"),),
    "seize": (("claimed_success", "CLX-GAME-03"),),
    "move": (("claimed_allowance", "CLX-MOVE-01"),),
    "run": (("claimed_distance", "CLX-RUN-01"),),
    "cast": (("claimed_total", "CLX-PSY-07"),),
    "mental_resistance": (("claimed_needed", "CLX-PSY-13"),),
    "pinning_test": (("claimed_modifier", "CLX-SUPP-03"),),
    "cover_rolls": (
        ("claimed_level", "CLX-MISC-02"),
        ("claimed_needed", "CLX-SHOOT-07c"),
        ("claimed_saved", "CLX-LOG-04"),
    ),
    "hit_rolls": (("claimed_hits", "CLX-LOG-04"),),
    "wound_rolls": (("claimed_needed", "CLX-ASLT-06"), ("claimed_wounds", "CLX-LOG-04"), ("automatic", "CLX-GEAR-03")),
    "charge": (("claimed_distance", "CLX-ASLT-01"),),
    "morale": (("claimed_modifier", "CLX-MOR-01"),),
    "vehicle_hit": (
        ("claimed_total", "CLX-VEH-07"),
        ("claimed_wounds", "CLX-VEH-08"),
        ("claimed_facing", "CLX-VEH-06"),
    ),
}
"""By event: what it claims, and the rule that the claim is about. One more or less is the fault."""
NUMBER_RULES = tuple(
    sorted({rule for claims in CLAIMS.values() for _, rule in claims} | {*SHOTS.values(), "CLX-ASLT-09", "CLX-LOG-03"})
)
"""Those of the weapons are counted at the table, where it is known of which kind a weapon is."""


def numbers(event: Json) -> set[str]:
    """The rules about a number for which an event, as it stands in a log, claims one."""
    found = {rule for key, rule in CLAIMS.get(event["type"], ()) if key in event}
    if "dice" in event:
        found.add("CLX-LOG-03")  # So many dice: one more or less is the fault.
    return found

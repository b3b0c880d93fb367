"""Critical effects by name: what they touch, and the faces that they look for under each reading.

Source: Calth catalogue section 13. A weapon's effect is written in data/weapons.json as the number of its rule.
"""

from __future__ import annotations

from enum import StrEnum


class Critical(StrEnum):
    """A critical effect. Its value is what the tables and the logs call it: the number of its rule."""

    SUPPRESS = "CAL-CRT-03"
    FLAMER_FOLLOW_UP = "CAL-CRT-04"
    MELT = "CAL-CRT-05"
    ASSAULT_CANNON = "CAL-CRT-06"
    MISSILE_LAUNCHER = "CAL-CRT-07"
    PLASMA = "CAL-CRT-08"
    POWER_FIST = "CAL-CRT-09"
    CHAINSWORD = "CAL-CRT-10"
    LIGHTNING_CLAWS = "CAL-CRT-11"
    CHAINFIST = "CAL-CRT-12"
    POWER_SWORD = "CAL-CRT-13"


ON_ARMOUR = (Critical.MELT, Critical.POWER_FIST, Critical.POWER_SWORD)
"""Effects on the Armour of the first target."""

ON_FIRST_TARGET = (Critical.MELT, Critical.POWER_FIST, Critical.CHAINFIST, Critical.POWER_SWORD)
"""Effects that touch the first target only."""

ADDING = (Critical.MISSILE_LAUNCHER, Critical.PLASMA, Critical.CHAINSWORD)
"""Effects that add dice to the attack roll."""

ROLLS_AGAIN = (Critical.ASSAULT_CANNON, Critical.LIGHTNING_CLAWS)
"""Effects by which dice of the attack roll are rolled again."""

CANNON_FACES = {"shield_blank": "SB", "hit_blank": "HB", "hit_shield": "HS"}
"""R-GLY-CANNON: the faces that the assault cannon may roll again."""
DESTROYING_FACE = {"critical": "C", "hit": "H", "blank": "B"}
"""R-GLY-CANNON-MAX: the face that destroys it."""
OVERHEAT_FACE = {"critical": "C", "blank": "B"}
"""R-GLY-PLASMA: the face that overheats a plasma weapon."""

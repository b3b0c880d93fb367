"""Which rule speaks for an act that breaks several (CAL-AUD-03): who may act and what may be done now, then with what
and by whom, then where and how far, then what is seen. The only place where one rule is named beside another."""

from __future__ import annotations

from collections.abc import Mapping

_WHO_MAY_ACT = ("CAL-ATK-08", "CAL-ACT-02", "CAL-ACT-03")
_MOVES = ("CAL-SET-02", "CAL-ADV-01", "CAL-RUN-01", "CAL-CON-01", "CAL-ASL-02", "CAL-ASL-04", "CAL-RET-02")
_SIGHT = ("CAL-OBS-01", "CAL-LOS-01", "CAL-LOS-02", "CAL-LOS-03", "CAL-LOS-04", "CAL-LOS-05")

GIVES_WAY: Mapping[str, tuple[str, ...]] = {
    # Who acts, and whether that may be done now.
    "CAL-ACT-02": ("CAL-ACT-01",),
    "CAL-ACT-03": ("CAL-ACT-02",),
    "CAL-PIN-01": ("CAL-ACT-01", "CAL-ACT-02"),
    # Where a model comes to, and how far.
    **dict.fromkeys(("CAL-ADV-01", "CAL-RUN-01", "CAL-CON-01", "CAL-CON-03"), _WHO_MAY_ACT),
    **dict.fromkeys(("CAL-ASL-02", "CAL-ASL-04", "CAL-RET-02"), _WHO_MAY_ACT),
    "CAL-RUN-02": ("CAL-RUN-01",),
    "CAL-RUN-03": ("CAL-RUN-01", "CAL-RUN-02"),
    "CAL-CON-02": ("CAL-CON-01",),
    # The map is told by the act that comes up against it.
    **dict.fromkeys(("CAL-HEX-01", "CAL-HEX-02", "CAL-HEX-05"), _MOVES),
    "CAL-HEX-07": ("CAL-SET-02", "CAL-CON-03", "CAL-RET-02"),
    # Whom an attack is made on, and what is seen.
    "CAL-ASL-01": _WHO_MAY_ACT,
    "CAL-SHT-01": ("CAL-CRT-04", *_WHO_MAY_ACT),
    **dict.fromkeys(_SIGHT, ("CAL-SHT-01",)),
}
"""The rules to which a rule gives way, where both tell of one act."""

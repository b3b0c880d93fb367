"""Which rules the second referee judges; what it says of a log is a `Found`, or `NotJudged`."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.conformance.found import Found, NotJudged

JUDGED = (
    *("CLX-LOG-01", "CLX-LOG-02", "CLX-LOG-03", "CLX-LOG-04"),
    *("CLX-GAME-01", "CLX-GAME-02", "CLX-GAME-03", "CLX-GAME-04", "CLX-GAME-05", "CLX-GAME-06", "CLX-GAME-08"),
    *("CLX-MOVE-01", "CLX-MOVE-02", "CLX-MOVE-03", "CLX-MOVE-04", "CLX-RUN-01", "CLX-RUN-02", "CLX-RUN-03"),
    *("CLX-PSY-01", "CLX-PSY-02", "CLX-PSY-03", "CLX-PSY-04", "CLX-PSY-06", "CLX-PSY-07", "CLX-PSY-08"),
    *("CLX-PSY-09", "CLX-PSY-10", "CLX-PSY-11", "CLX-PSY-12", "CLX-PSY-13"),
    *("CLX-FACE-01", "CLX-FACE-02", "CLX-SUPP-02", "CLX-SUPP-03", "CLX-MOR-01", "CLX-MOR-02"),
    *(
        "CLX-SHOOT-01",
        "CLX-SHOOT-02",
        "CLX-SHOOT-03",
        "CLX-SHOOT-04",
        "CLX-SHOOT-05",
        "CLX-SHOOT-06",
        "CLX-SHOOT-06g",
        "CLX-SHOOT-07a",
        "CLX-SHOOT-07b",
        "CLX-SHOOT-07c",
        "CLX-SHOOT-08",
    ),
    *("CLX-SHOOT-09", "CLX-SHOOT-10", "CLX-SHOOT-11", "CLX-SHOOT-13", "CLX-SHOOT-14"),
    *("CLX-WPN-01", "CLX-WPN-02", "CLX-WPN-03", "CLX-WPN-04", "CLX-WPN-05", "CLX-WPN-06", "CLX-WPN-07"),
    *("CLX-ASLT-01", "CLX-ASLT-02", "CLX-ASLT-04", "CLX-ASLT-05", "CLX-ASLT-06", "CLX-ASLT-07b", "CLX-ASLT-08"),
    *("CLX-ASLT-09", "CLX-ASLT-10"),
    *("CLX-VEH-01", "CLX-VEH-02", "CLX-VEH-03", "CLX-VEH-05", "CLX-VEH-06", "CLX-VEH-07", "CLX-VEH-08", "CLX-VEH-09"),
    *(
        "CLX-GEAR-02",
        "CLX-GEAR-03",
        "CLX-GEAR-04",
        "CLX-USR-03",
        "CLX-USR-04",
        "CLX-USR-05",
        "CLX-USR-06",
        "CLX-USR-07",
        "CLX-USR-09",
        "CLX-USR-10",
        "CLX-USR-11",
        "CLX-USR-12",
        "CLX-USR-14",
        "CLX-USR-16",
        "CLX-USR-18",
    ),
    *("CLX-MISC-01", "CLX-MISC-02", "CLX-MISC-03"),
    *("CLX-GREN-01", "CLX-GREN-02", "CLX-GREN-04", "CLX-GREN-05", "CLX-GREN-06", "CLX-GREN-07", "CLX-GREN-08"),
)
"""The rules that are judged."""

Faults = Iterator[Found]

__all__ = ["JUDGED", "Faults", "Found", "NotJudged"]

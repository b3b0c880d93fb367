"""Which rules the second referee judges; what it says of a log is a `Found`, or `NotJudged`."""

from __future__ import annotations

from auditor.conformance.found import Found, NotJudged

JUDGED = (
    *("HCG-DECK-01", "HCG-DECK-02", "HCG-DECK-03", "HCG-DECK-04", "HCG-CARD-03", "HCG-CARD-05"),
    *("HCG-SETUP-01", "HCG-SETUP-02", "HCG-SETUP-03", "HCG-SETUP-04", "HCG-SETUP-05", "HCG-SETUP-06"),
    *("HCG-TURN-01", "HCG-TURN-03", "HCG-FW-01", "HCG-FW-02", "HCG-FW-03", "HCG-FW-04", "HCG-FW-05"),
    *("HCG-DEP-01", "HCG-DEP-02", "HCG-DEP-03", "HCG-DEP-04", "HCG-DEP-06"),
    *("HCG-BPH-01", "HCG-BPH-02", "HCG-BPH-03", "HCG-BPH-04", "HCG-BPH-05"),
    *("HCG-BSET-01", "HCG-BSET-02", "HCG-BSET-03", "HCG-BSET-04", "HCG-BSET-05", "HCG-BSET-06", "HCG-BSET-07"),
    *(
        "HCG-UNIQ-01",
        "HCG-UNIQ-02",
        "HCG-UNIQ-03",
        "HCG-UNIQ-04",
        "HCG-UNIQ-06",
        "HCG-SHIP-02",
        "HCG-SHIP-04",
        "HCG-SHIP-06",
    ),
    *("HCG-CMD-01", "HCG-CMD-02", "HCG-CMD-03", "HCG-OPT-01", "HCG-BAA-01", "HCG-BAA-03", "HCG-DES-01", "HCG-DES-03"),
    *("HCG-BA-01", "HCG-BA-02", "HCG-BA-04", "HCG-BA-06", "HCG-CHG-01", "HCG-CHG-02", "HCG-POS-01", "HCG-POS-04"),
    *("HCG-SHOOT-01", "HCG-SHOOT-02", "HCG-SHOOT-03", "HCG-SHOOT-04", "HCG-SHOOT-05", "HCG-SHOOT-07", "HCG-SHOOT-08"),
    *("HCG-ASLT-01", "HCG-ASLT-02", "HCG-ASLT-03", "HCG-ASLT-04", "HCG-ASLT-06"),
    *("HCG-SWEEP-01", "HCG-SWEEP-02", "HCG-SWEEP-03", "HCG-SWEEP-04", "HCG-SWEEP-05", "HCG-SWEEP-06"),
    *("HCG-SPEC-01", "HCG-SPEC-02", "HCG-SPEC-04", "HCG-SPEC-05", "HCG-SPEC-06"),
    *("HCG-WDR-01", "HCG-WDR-02", "HCG-WDR-03", "HCG-DMG-03", "HCG-VS-02"),
    *("HCG-CA-01", "HCG-CA-02", "HCG-STAT-01", "HCG-VS-01", "HCG-TAC-01", "HCG-TAC-02", "HCG-TAC-04", "HCG-TAC-06"),
    *("HCG-MOD-01", "HCG-MOD-02", "HCG-MOD-03", "HCG-MOD-04", "HCG-REA-01", "HCG-REA-02", "HCG-REA-03"),
    *("HCG-ROLL-01", "HCG-ROLL-02", "HCG-ROLL-05", "HCG-ROLL-06", "HCG-DISC-01"),
    *("HCG-OPT-02", "HCG-OPT-03", "HCG-OPT-04", "HCG-OPT-06", "HCG-OPT-07", "HCG-OPT-08", "HCG-OPT-09"),
    *("HCG-X-01", "HCG-X-02", "HCG-ROLL-03", "HCG-ROLL-04", "HCG-BA-05", "HCG-POS-02", "HCG-POS-05", "HCG-SHIP-03"),
    *("HCG-TAC-07", "HCG-TAC-08", "HCG-FLAG-01", "HCG-KEY-01", "HCG-BAA-02"),
    *("HCG-DOC-01", "HCG-DOC-02", "HCG-DOC-03", "HCG-DOC-04", "HCG-DOC-05"),
    *("HCG-VIC-02", "HCG-VIC-03", "HCG-VIC-04", "HCG-VIC-05", "HCG-VIC-06", "HCG-VIC-07", "HCG-VIC-08", "HCG-VIC-09"),
    *("HCG-END-01", "HCG-END-02", "HCG-WIN-01", "HCG-WIN-02", "HCG-WIN-03", "HCG-WIN-04"),
    *("HCG-DMG-02", "HCG-DMG-04", "HCG-VS-03", "HCG-SHOOT-09", "HCG-CA-03", "HCG-SPEC-03", "HCG-SPEC-07"),
    *("HCG-OPT-05", "HCG-BAC-01", "HCG-TAC-05", "HCG-POS-03", "HCG-DES-02", "HCG-DISC-02", "HCG-CMD-04"),
    *("HCG-INF-01", "HCG-INF-02", "HCG-SHIP-01", "HCG-SHIP-05", "HCG-UNIQ-05", "HCG-VIC-01", "HCG-END-03"),
)
"""The rules that are judged."""

__all__ = ["JUDGED", "Found", "NotJudged"]

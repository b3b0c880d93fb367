"""Lines of sight: the class of a shot (LOS)."""

from __future__ import annotations

from auditor.core.findings import RAN
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.shot import OnTheLine
from auditor.systems.calth.records import Attack
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.state import Position

SIGHT_READINGS = (
    "R-LOS-VERTEX",
    "R-LOS-EDGEMIX",
    "R-LOS-OFFBOARD",
    "R-LOS-EDGEADJ",
    "R-LOS-TIP",
    "R-LOS-ALONG",
    "R-LOS-OBST",
)


OBSCURED_READINGS = ("R-OBS-POINT", "R-OBS-WIDTH", *SIGHT_READINGS)


def _wrong_class(under: Rule, matter: OnTheLine, event: Attack, view: AttackView, hearing: Hearing) -> Seen:
    """The claimed class of a shot against the recomputed one, told under the rule that decides it."""
    claimed = view.claimed_class
    looked = RAN if matter is OnTheLine.INSIDE or view.meets(matter) else None
    if claimed is None:
        if matter is OnTheLine.INSIDE:
            hearing.not_claimed()
        return looked
    due = view.unasked_sight(hearing)
    right = due == claimed or (due == "none" and claimed == "obscured")
    tells = not (right and view.sure is not None) and view.decided_by is matter
    if tells:
        view.sight(hearing)  # here something hangs on it, so it is asked
    if right:
        return looked
    if not tells:
        return None
    at = view.position.at
    shot = f"{event.attacker} at {at(view.shooter_hex)} shot at {event.target} at {at(view.target_hex)}."
    shot += " The log calls the line"
    if due == "clear":
        text = f"{shot} obscured; nothing stops it, so it is clear."
    else:
        why = view.what_stops(hearing)
        verdict = "so it is obscured" if due == "obscured" else "and no other line reaches the target"
        text = f"{shot} clear; {why}, {verdict}."
    return [
        under.miscalculated(
            text,
            str(event.attacker),
            claimed={"los.class": claimed},
            recomputed={"los.class": due},
            evidence=lambda: view.sight_evidence(hearing),
        )
    ]


def _sight_rule(rule_id: str, title: str, matter: OnTheLine, text: str, readings: tuple[str, ...]) -> Rule:
    """A rule about what the line meets: the same check for each, and a wrong class is told under one of them."""

    def look(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
        return _wrong_class(declared, matter, event, view, hearing) if view.between else None

    look.__doc__ = text
    declared = rule(
        rule_id,
        title,
        section=11,
        events=("attack",),
        kinds=("miscalculated",),
        readings=readings,
        when={"attack": ("in sight or not",) if matter is OnTheLine.INSIDE else (matter, "class in doubt")},
        finds={"attack": ("class in doubt",)},
        beside=None if matter is OnTheLine.INSIDE else CLEAR_SIGHT,
    )(look)
    return declared


CLEAR_SIGHT = "CAL-LOS-01"
clear_sight = _sight_rule(
    CLEAR_SIGHT,
    "Clear line of sight",
    OnTheLine.INSIDE,
    """A line of sight is clear when the straight line between the centres of the two hexes passes through the inside of
    no blocked or occupied hex and crosses no sealed door. Friends and enemies both occupy; the two end hexes never
    count.

    Log:  the class claimed.
    """,
    SIGHT_READINGS,
)


along_hexsides = _sight_rule(
    "CAL-LOS-02",
    "A line along a hexside",
    OnTheLine.HEXSIDE,
    """Running along a hexside is passing through neither of its hexes, unless both are closed (blocked, off the board
    or occupied, in any mixture): then the line stops there. Each hexside is judged by itself.

    Log:  the class claimed.
    """,
    ("R-LOS-EDGEMIX", "R-LOS-OFFBOARD", "R-LOS-EDGEADJ", "R-LOS-ALONG", "R-LOS-OBST"),
)


at_corners = _sight_rule(
    "CAL-LOS-03",
    "A line through a corner",
    OnTheLine.CORNER,
    """Meeting a hex in a single corner point is not passing through it.

    Log:  the class claimed.
    """,
    ("R-LOS-VERTEX",),
)


door_ends = _sight_rule(
    "CAL-LOS-04",
    "The ends of a door",
    OnTheLine.DOOR_END,
    """A line that meets a sealed door only at its end stops if something closes the other side at that point too.

    Log:  the class claimed.
    """,
    ("R-LOS-TIP", "R-LOS-OBST"),
)


see_through = _sight_rule(
    "CAL-LOS-05",
    "What does not stop sight",
    OnTheLine.SEEN_THROUGH,
    """Rubble, barricades, open doors and (by default) obstructions stop no line of sight.

    Log:  the class claimed.
    """,
    ("R-LOS-OBST",),
)

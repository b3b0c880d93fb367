"""The campaign: its tally, and the adjustment of scenario 6 (CMP)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.core.findings import RAN
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.views import (
    FloatingView,
)
from auditor.systems.calth.records import (
    CampaignEnd,
)
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.state import OTHER, SIDES, Position
from auditor.systems.calth.words import count, names

VICTORIES = ("major_victory", "minor_victory")


SHIFTED = {"minor_victory": "major_victory", "major_defeat": "minor_defeat", "minor_defeat": "draw"}


MIRROR = {
    "major_victory": "major_defeat",
    "minor_victory": "minor_defeat",
    "draw": "draw",
    "minor_defeat": "minor_victory",
    "major_defeat": "major_victory",
}


def _tally(event: CampaignEnd, hearing: Hearing) -> dict[str, int] | None:
    """Victories of each side; whether scenario 6 counts is asked where it has a victor."""
    results = {entry.scenario: entry for entry in event.results or ()}
    left = [n for n in range(1, 7) if n not in results]
    if len(left) == 1 and None in results and len(results) == 6:
        results[left[0]] = results[None]  # the one of which the number is not stated
    counted = [_of_both({side: getattr(results.get(n), side, None) for side in SIDES}) for n in range(1, 6)]
    if not all(counted):
        return None
    last = _of_both({side: getattr(results.get(6), side, None) for side in SIDES})
    shift = event.scenario_6
    if not last and shift is not None and shift.before is not None:
        last = _of_both(shift.before)
    if not last and hearing.ask("R-CMP-TALLY") == "all_six":
        return None
    if any(level in VICTORIES for level in last.values()):
        if hearing.ask("R-CMP-TALLY") == "all_six":
            counted.append(last)
    return {side: sum(levels[side] in VICTORIES for levels in counted) for side in SIDES}


def _of_both(levels: Mapping[Any, str | None]) -> dict[str, str]:
    """The levels of both sides; where only one is stated, the other mirrors it. Empty where neither is."""
    known = {side: level for side, level in levels.items() if level is not None}
    return {**{OTHER[side]: MIRROR[level] for side, level in known.items()}, **known}


def _said(levels: Mapping[Any, str | None]) -> str:
    """ "a minor victory for UM and a minor defeat for WB"."""
    if set(levels.values()) == {"draw"}:
        return "a draw"
    return names(f"a {str(levels[side]).replace('_', ' ')} for {side}" for side in SIDES if side in levels)


@rule(
    "CAL-CMP-01",
    "Campaign tally",
    section=6,
    events=("campaign_end",),
    kinds=("miscalculated", "ambiguous"),
    readings=("R-CMP-TALLY",),
)
def campaign_tally(event: CampaignEnd, view: FloatingView, position: Position, hearing: Hearing) -> Seen:
    """Over the six scenarios each victory, major or minor, counts one for its player; a draw counts for nobody.

    Log:  the levels of every scenario, the tally.
    """
    if event.results is None:
        return [campaign_tally.missing(["the results of the scenarios"], player=None)]
    due = _tally(event, hearing)
    if due is None:
        return [campaign_tally.missing(["the results of all scenarios"], player=None)]
    if event.tally is None:
        hearing.not_claimed()
        return RAN
    wrong = {side: n for side, n in event.tally.items() if n != due[side]}
    if not wrong:
        return RAN
    return [
        campaign_tally.miscalculated(
            "The tally of the log is wrong: "
            + names(f"{side} won {count(due[side], 'scenario')}, not {n}" for side, n in wrong.items())
            + ".",
            player=None,
            claimed={f"tally.{side}": n for side, n in wrong.items()},
            recomputed={f"tally.{side}": due[side] for side in wrong},
        )
    ]


@rule(
    "CAL-CMP-02",
    "The adjustment of scenario 6",
    section=6,
    events=("campaign_end",),
    kinds=("miscalculated", "omitted"),
    readings=("R-CMP-TALLY",),
)
def scenario_six(event: CampaignEnd, view: FloatingView, position: Position, hearing: Hearing) -> Seen:
    """For the player with more victories the result of scenario 6 is shifted by one step: a minor victory becomes
    major, a major defeat minor, a minor defeat a draw. A major victory or a draw stays; with equal tallies nothing is
    shifted.

    Log:  the result before and after.
    """
    shift = event.scenario_6
    if shift is None or shift.before is None or shift.after is None:
        return None
    tally: Mapping[str, int] | None = None
    if event.tally and set(event.tally) == set(SIDES):
        tally = dict(event.tally.items())
    else:
        tally = _tally(event, hearing)
    if tally is None:
        return None
    before = _of_both(shift.before)
    if not before:
        return None
    due = dict(before)
    leader = "UM" if tally["UM"] > tally["WB"] else "WB" if tally["WB"] > tally["UM"] else None
    if leader is not None:
        level: str = SHIFTED.get(before[leader], before[leader])
        due = {leader: level, OTHER[leader]: MIRROR[level]}
    after = dict(shift.after)
    if all(after.get(side) == due[side] for side in after if side in due):
        return RAN
    numbers: dict[str, Any] = {"claimed": {"scenario_6.after": after}, "recomputed": {"scenario_6.after": due}}
    if leader is not None and all(after[side] == before[side] for side in after):
        return [
            scenario_six.omitted(
                f"{leader} won more scenarios, so the result of scenario 6 is shifted to {_said(due)}. "
                f"It was not: the log has {_said(after)}.",
                player=None,
                **numbers,
            )
        ]
    return [
        scenario_six.miscalculated(
            f"The result of scenario 6 is shifted to {_said(due)}; the log has {_said(after)}.",
            player=None,
            **numbers,
        )
    ]

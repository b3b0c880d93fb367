"""The roll for the initiative (INI)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from auditor.core.findings import RAN, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.dice import hits
from auditor.systems.calth.reckoning.initiative import decided_attempts, first_initiative
from auditor.systems.calth.reckoning.views import InitiativeView, View
from auditor.systems.calth.records import (
    Activate,
    Attempt,
    CardDraw,
    Initiative,
    TpRefresh,
    faces,
)
from auditor.systems.calth.rules.common import (
    Seen,
    dice_of,
    rule,
)
from auditor.systems.calth.state import OTHER, SIDES, Position
from auditor.systems.calth.words import count


@rule(
    "CAL-INI-01",
    "Roll for initiative",
    section=7,
    events=("initiative", "card_draw", "tp_refresh", "activate"),
    kinds=("illegal", "miscalculated", "omitted", "ambiguous"),
    readings=("R-DIE-INIT",),
    when={"activate": ("before actions",)},
)
def initiative(event: Initiative, view: InitiativeView, position: Position, hearing: Hearing) -> Seen:
    """At the start of each round both players roll 3 dice; the one with more hits has the initiative for the round.

    Log:  all attempts with the faces of both players, and the winner; or the scenario as source.
    Edge: a scenario may name the holder for round 1; then nobody rolls in that round.
    """
    given = first_initiative(position)
    if event.source is None and event.attempts is None:
        return [initiative.missing(["how the initiative was decided"], player=None)]
    if event.source == "scenario":
        return _scenario_gives(event, given, position)
    if given is not None:
        return [
            initiative.illegal(
                f"{' and '.join(SIDES)} rolled for an initiative that the scenario gives to {given}.",
                player=None,
            )
        ]
    if event.attempts is None:
        return [initiative.missing(["the faces of the roll for the initiative"], player=None)]
    if not event.attempts:
        return [
            initiative.omitted(
                f"Neither {' nor '.join(SIDES)} rolled for the initiative of round {position.round}.",
                player=None,
            )
        ]
    found = _faces_not_due(event.attempts)
    if found:
        return found
    won = decided_attempts(event, hearing)
    if won is None or event.winner is None:
        if event.winner is None:
            hearing.not_claimed()
        return RAN
    wrong = _wrong_winner(initiative, event, won) if len(won) == 1 else None
    return [wrong] if wrong is not None else RAN


def _scenario_gives(event: Initiative, given: str | None, position: Position) -> Seen:
    """An initiative without a roll is that which the scenario gives."""
    if given is None:
        return [
            initiative.omitted(
                f"The log gives {event.winner or 'nobody'} the initiative of round {position.round} without a roll; "
                "the scenario does not say who has it.",
                player=None,
            )
        ]
    if event.winner is not None and event.winner != given:
        return [
            initiative.miscalculated(
                f"The scenario gives the first initiative to {given}.",
                player=None,
                claimed={"winner": event.winner},
                recomputed={"winner": given},
            )
        ]
    return RAN


def _faces_not_due(attempts: Iterable[Attempt]) -> list[Remark]:
    """Attempts without the faces of a player, or with more or fewer than 3."""
    found: list[Remark] = []
    for number, attempt in enumerate(attempts, 1):
        absent = [side for side in SIDES if faces(getattr(attempt, side)) is None]
        if len(absent) == 1 and number > 1:
            continue  # one player alone rolled again: CAL-INI-02
        if absent:
            found.append(
                initiative.missing([f"the faces of {side} in attempt {number}" for side in absent], player=None)
            )
            continue
        for side in SIDES:
            shown = faces(getattr(attempt, side)) or ""
            if len(shown) != 3:
                found.append(
                    initiative.miscalculated(
                        f"{side} rolled {count(len(shown), 'die', 'dice')} for the initiative; 3 are due.",
                        side,
                        str(number),
                        player=side,
                        claimed={f"attempts.{number - 1}.{side}": shown},
                        recomputed={"dice": 3},
                    )
                )
    return found


def _wrong_winner(under: Rule, event: Initiative, won: list[str | None]) -> Remark | None:
    """The winner recorded against the one of the first attempt that decides."""
    first = next((side for side in won if side is not None), None)
    if first is None or event.winner is None or first == event.winner:
        return None
    decisive = event.attempts[won.index(first)] if event.attempts else Attempt()
    both = faces(decisive.UM), faces(decisive.WB)
    mine, theirs = both if first == "UM" else both[::-1]
    return under.miscalculated(
        f"{first} rolled {count(hits(mine), 'hit')} ({mine}) to {hits(theirs)} ({theirs}) "
        f"and so won the initiative; the log gives it to {event.winner}.",
        "winner",
        player=None,
        claimed={"winner": event.winner},
        recomputed={"winner": first},
        figures=tuple(dice_of(side, faces(getattr(decisive, side)) or "") for side in SIDES),
    )


def _by_the_scenario() -> list[Initiative]:
    """The lines of an initiative that nobody rolled for."""
    line: Any = partial(Initiative, seq=0, source="scenario")
    return [line(winner=side) for side in SIDES]


@initiative.at("card_draw", "tp_refresh", "activate")
def _initiative_was_decided(
    event: CardDraw | TpRefresh | Activate, view: View, position: Position, hearing: Hearing
) -> Seen:
    """Somebody has the initiative when the ready phase or the actions begin."""
    if (
        position.rolled
        or position.phase not in ("setup", "initiative")
        or "initiative" in position.recorded.late.steps.get(position.round, ())
    ):
        return None
    if isinstance(event, CardDraw) and event.override is not None:
        return None
    if not position.units:
        return None
    return [
        initiative.omitted(
            f"Round {position.round} went on although neither {' nor '.join(SIDES)} had the initiative.",
            player=None,
            due=_by_the_scenario,
        )
    ]


@rule(
    "CAL-INI-02",
    "Ties are rolled again by both",
    section=7,
    events=("initiative",),
    kinds=("illegal", "miscalculated"),
    readings=("R-DIE-INIT",),
)
def initiative_ties(event: Initiative, view: InitiativeView, position: Position, hearing: Hearing) -> Seen:
    """On equal hits both players roll all their dice again, until the hits differ; the first attempt that decides
    counts.

    Log:  every attempt.
    Edge: nobody rolls again after a decided attempt.
    """
    attempts = event.attempts
    if event.source == "scenario" or not attempts:
        return None
    for number, attempt in enumerate(attempts, 1):
        sides = [side for side in SIDES if faces(getattr(attempt, side)) is not None]
        if number == 1 and len(sides) < len(SIDES):
            return None  # Whether it was a tie nobody knows.
        if number > 1 and len(sides) == 1:
            return [
                initiative_ties.illegal(
                    f"After a tie {sides[0]} rolled again and {OTHER[sides[0]]} did not; both do.",
                    player=None,
                )
            ]
    won = decided_attempts(event, hearing)
    if won is None:
        return RAN
    first = next((i for i, side in enumerate(won) if side is not None), None)
    found: list[Remark] = []
    if first is not None and first < len(won) - 1:
        found.append(
            initiative_ties.illegal(
                f"{' and '.join(SIDES)} rolled again for the initiative, which {won[first]} had won in attempt {first + 1}.",
                player=None,
            )
        )
    if first is None and event.winner is not None:
        found.append(
            initiative_ties.illegal(
                f"The log gives the initiative to {event.winner} although the last attempt is a tie.",
                player=None,
            )
        )
    wrong = _wrong_winner(initiative_ties, event, won) if len(won) > 1 else None
    if wrong is not None:
        found.append(wrong)
    return found or RAN

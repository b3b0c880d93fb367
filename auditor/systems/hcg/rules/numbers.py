"""Why a number of a damage step is wrong: a part that was left out or put in explains it (catalogue 1.1, 4.22 to 4.24)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from auditor.core.findings import RAN
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import Blow, blow
from auditor.systems.hcg.reckoning.choices import ANNOUNCES
from auditor.systems.hcg.reckoning.plays import announced
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.selectors import matches
from auditor.systems.hcg.reckoning.values import Value, is_alive, standing
from auditor.systems.hcg.rules.common import Seen, rule

Offsets = Callable[[Value, str, str], Iterable[int]]
"""(number, whose it is, whom it fights) -> by how much a fault of this kind would change it."""


def explained(
    this: Rule, event: records.Damage, position: Position, hearing: Hearing, offsets: Offsets, why: str
) -> Seen:
    """The claimed numbers that are off by exactly what one fault would change; None where none could."""
    due = blow(event, position, hearing)
    if due is None or due.unknown or due.tainted or event.to not in (None, due.to):
        return None  # The numbers of damage that went to another card are those of that card.
    looked = False
    for key, said, value, bearer, other in (
        ("amount", event.amount, due.amount, due.source, due.to),
        ("armor", event.armor, due.armor, due.to, due.source),
    ):
        possible = [offset for offset in offsets(value, bearer, other) if offset]
        looked = looked or bool(possible)
        if said is None or not possible or said - value.amount not in possible:
            continue
        figure = value.figure(f"{value.stat} of {position.named(bearer)}")
        against = f" against {_owned(other, due, position)}" if key == "armor" else ""
        whose = f"The {value.stat} of {_owned(bearer, due, position)}{against}"
        text = f"{whose} is {figure.working()}, not {said}: {why}."
        return [
            this.miscalculated(
                text,
                due.source,
                due.to,
                player=_player(position, due),
                claimed={key: said},
                recomputed={key: value.amount},
                figures=(figure,),
            )
        ]
    return RAN if looked else None


def _owned(bearer: str, due: Blow, position: Position) -> str:
    """A card in words, with the player whose it is where no list of cards tells that: the attacker's attacks."""
    action, named = position.action, position.named(bearer)
    if bearer in position.owner or action is None:
        return named
    attacks = (bearer == due.source) == (due.kind != "counter")
    return f"{action.by if attacks else position.other(action.by)}'s {named}"


def _player(position: Position, due: Blow) -> str | None:
    at = position.at.get(due.source)
    return at.player if at is not None else ""


@rule(
    "HCG-TAC-06",
    "Bonuses end with the battle action",
    section="4.22",
    events=["damage"],
    kinds=["miscalculated"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def bonuses_end_with_their_action(event: records.Damage, view: View, position: Position, hearing: Hearing) -> Seen:
    """What cards or abilities played in a battle action give ends when that action ends.

    Log:  the numbers of the damage step.
    Edge: a bonus lives through the sweep of its own action. A text that names its own duration overrides this.
    """
    return explained(
        bonuses_end_with_their_action,
        event,
        position,
        hearing,
        lambda value, bearer, other: [
            bonus.amount
            for bonus in (*position.expired, *(one for one in position.alive if not is_alive(one, position, hearing)))
            if bonus.target == bearer and bonus.stat == value.stat
        ],
        "a bonus of an earlier battle action was counted",
    )


@rule(
    "HCG-STAT-01",
    "Static abilities",
    section="4.23",
    events=["damage"],
    kinds=["miscalculated"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def static_abilities_are_always_on(event: records.Damage, view: View, position: Position, hearing: Hearing) -> Seen:
    """Static abilities are always on for their card at its sector; they need no announcement and are not optional.

    Log:  the numbers of the damage step.
    Edge: they affect the current sector only, unless they say otherwise.
    """

    def left_out(value: Value, bearer: str, other: str) -> list[int]:
        parts = [part.amount for part in value.of("static")]
        return [-sum(parts), *(-amount for amount in parts)]

    return explained(
        static_abilities_are_always_on, event, position, hearing, left_out, "a static ability was left out"
    )


@rule(
    "HCG-VS-01",
    "Versus bonuses work both ways",
    section="4.24",
    events=["damage"],
    kinds=["miscalculated"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def versus_bonuses_count_both_ways(event: records.Damage, view: View, position: Position, hearing: Hearing) -> Seen:
    """A versus bonus acts when the unit attacks a matching card and when a matching card attacks it.

    Log:  the numbers of the damage step.
    """
    return explained(
        versus_bonuses_count_both_ways,
        event,
        position,
        hearing,
        lambda value, bearer, other: [-sum(part.amount for part in value.of("versus"))],
        "a versus bonus was left out",
    )


@rule(
    "HCG-VS-03",
    "What a versus bonus matches",
    section="4.24",
    events=["damage"],
    kinds=["miscalculated"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def versus_bonuses_match(event: records.Damage, view: View, position: Position, hearing: Hearing) -> Seen:
    """A versus bonus matches by printed or granted keyword, or by kind ("vs. assets").

    Log:  the numbers of the damage step.
    Edge: "vs. infantry units" never matches an asset.
    """

    def put_in(value: Value, bearer: str, other: str) -> list[int]:
        card, at = position.card_of(bearer), position.at.get(bearer)
        return [
            change.amount
            for ability in (card.abilities if card is not None else ())
            for effect in ability.effects
            if ability.type == "static" and effect.op == "modify" and effect.versus is not None
            if matches(effect.versus, other, position, at.player if at is not None else None, bearer) is False
            for change in effect.changes
            if change.stat == value.stat and isinstance(change.amount, int)
        ]

    return explained(
        versus_bonuses_match, event, position, hearing, put_in, "a versus bonus that does not match was counted"
    )


@rule(
    "HCG-CARD-05",
    "Sector abilities",
    section="4.1",
    events=["damage", *ANNOUNCES],
    kinds=["miscalculated", "ambiguous"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def sector_abilities_count(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A text that a sector prints is in force during a battle there, for both players unless it says otherwise.

    Log:  the numbers of the damage step.
    Edge: nobody says whose a BA, T, R or M ability of a sector is; that it may be used stays open.
    """
    this = sector_abilities_count
    if isinstance(event, records.Damage):
        return explained(
            this,
            event,
            position,
            hearing,
            lambda value, bearer, other: [-sum(part.amount for part in value.of("sector"))],
            "the ability of the sector was left out",
        )
    play = announced(event, position)
    if play is None or play.zone != "sectorcard":
        return None
    text = f"An ability of a sector ({play.card}) was used; whose it is the rules do not say."
    return [this.ambiguous(text, play.card, player=play.by, would_be="illegal")]


@rule(
    "HCG-VS-02",
    "The relevant opponent",
    section="4.24",
    events=["damage"],
    kinds=["miscalculated"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP"],
)
def versus_bonuses_are_against_whom_it_fights(
    event: records.Damage, view: View, position: Position, hearing: Hearing
) -> Seen:
    """What a versus bonus looks at is the card that a unit fights: the chosen target before a block, the blocker after it, the
    new defending card in a sweep.

    Log:  the numbers of the damage step.
    """
    action = position.action
    if action is None or action.target is None or action.unit is None:
        return None

    def swapped(value: Value, bearer: str, other: str) -> list[int]:
        """By how much the number would change, fought against the target that was first chosen."""
        if bearer != action.unit or other == action.target or action.target is None:
            return []
        then = standing(position, bearer, value.stat, action.target, hearing)
        now = sum(part.amount for part in value.of("versus"))
        return [sum(part.amount for part in then if part.kind == "versus") - now]

    why = f"it fights {position.named(action.defending)}, not {position.named(action.target)}"
    return explained(versus_bonuses_are_against_whom_it_fights, event, position, hearing, swapped, why)


RULES = (
    sector_abilities_count,
    versus_bonuses_are_against_whom_it_fights,
    bonuses_end_with_their_action,
    static_abilities_are_always_on,
    versus_bonuses_count_both_ways,
    versus_bonuses_match,
)

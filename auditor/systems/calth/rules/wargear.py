"""Wargear, and Sor Gharax with the Damage deck."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.rules.common import (
    NO_FACTS,
    PLAYERS,
    ambiguous,
    count,
    illegal,
    miscalculated,
    missing,
    omitted,
    rule,
)
from auditor.systems.calth.state import Position

Seen = list[Remark] | tuple[Remark, ...] | None


@rule(
    "CAL-WAR-01",
    "Grenade harness",
    section=14,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-HAR-STACK", "R-ASL-HARNESS"),
    when={"attack": ("melee",)},
)
def grenade_harness(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """When a unit with a grenade harness makes an Assault, its attack roll has one die more for each model in the target unit.

    Log:  the dice for the harness.
    Edge: it is no choice; the dice are part of the attack.
    """
    if resolved.mode != "melee" or resolved.attacker is None or event.dice is None:
        return None
    bearers = resolved.bearers("grenade_harness")
    claimed = event.dice.harness
    if claimed is None:
        hearing.not_claimed()
        return RAN if bearers else None
    due = resolved.harness_dice(hearing)
    if due is None:
        return None
    if claimed == due.value:
        return RAN if bearers else None
    return [
        miscalculated(
            "CAL-WAR-01",
            f"The grenade harness gives {count(due.value, 'die', 'dice')} here, not {claimed}.",
            resolved.attacker.id,
            claimed={"dice.harness": claimed},
            recomputed={"dice.harness": due.value},
            figures=(due,),
        )
    ]


@rule(
    "CAL-WAR-02",
    "Legion Vexilla",
    section=14,
    events=("attack", "initiative"),
    kinds=("illegal", "ambiguous"),
)
def legion_vexilla(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A unit with a living bearer may roll any dice again, once each, in melee attack rolls and in last stands.

    Log:  the bearer, the dice, their new faces.
    Edge: fewer dice, or none, is legal. It has no place in shooting, in defence rolls or in rolls for the initiative.
    """
    if type(event).__name__ == "Initiative":
        for attempt in event.attempts or ():
            if attempt.rerolls or attempt.vexilla is not None:
                return [
                    illegal(
                        "CAL-WAR-02",
                        "Dice of a roll for the initiative were rolled again with a Legion Vexilla.",
                        player=None,
                        rests_on=NO_FACTS,
                    )
                ]
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps or ()):
        if step.rerolls or step.vexilla is not None:
            target = resolved.target
            found.append(
                illegal(
                    "CAL-WAR-02",
                    f"Dice of defence roll {number + 1} were rolled again; nothing allows that.",
                    str(number),
                    player=target.side if target is not None else "",
                    rests_on=NO_FACTS,
                )
            )
    entries = [entry for entry in (event.vexilla, *(event.rerolls or ())) if entry is not None]
    if not entries or resolved.attacker is None:
        return found or None
    attacker = resolved.attacker
    for entry in entries:
        if resolved.mode == "ranged":
            found.append(
                illegal(
                    "CAL-WAR-02",
                    f"{attacker.id} rolled dice of a shot again with a Legion Vexilla; it serves in melee and last stands.",
                    attacker.id,
                    rests_on=NO_FACTS,
                )
            )
            break
        if entry.source is not None and entry.source != "vexilla" and entry is not event.vexilla:
            found.append(
                illegal(
                    "CAL-WAR-02",
                    f'{attacker.id} rolled dice again by "{entry.source[:60]}", which nothing in the rules grants.',
                    attacker.id,
                )
            )
            break
        if entry.model is None:
            if not resolved.bearers("legion_vexilla"):
                found.append(illegal("CAL-WAR-02", f"{attacker.id} has no bearer of a Legion Vexilla.", attacker.id))
            continue
        model = position.table.models.get(entry.model)
        if model is None or "legion_vexilla" not in model.wargear or entry.model not in resolved.attacker_models:
            why = "is not in the unit" if entry.model not in resolved.attacker_models else "bears no Legion Vexilla"
            found.append(
                illegal(
                    "CAL-WAR-02",
                    f"{attacker.id} rolled dice again with a Legion Vexilla, and {entry.model} {why}.",
                    attacker.id,
                )
            )
            break
    return found or RAN


@rule(
    "CAL-SOR-01",
    "Locations of Sor Gharax",
    section=15,
    events=("attack", "damage_card"),
    kinds=("illegal", "omitted", "ambiguous", "miscalculated"),
    readings=("R-SOR-DECK",),
)
def target_location(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """When Sor Gharax is attacked nobody picks a target model: the Ultramarines player shuffles the Damage deck and draws a
    card, whose location is the target, anew in each pass.

    Log:  the shuffle, who drew, the card.
    Edge: a location removed does what its card says; cards that stay on the model are out of the deck. Where no card
          may come twice in an attack and all have come, the rules do not say how it goes on, and nobody is blamed.
    """
    if type(event).__name__ == "DamageCard":
        return _draw_faults(position, event, "", set(), hearing) or RAN
    if not resolved.target_is_sor or not event.steps:
        return None
    if not resolved.target_is_only_sor:
        return [
            ambiguous(
                "CAL-SOR-01",
                "Sor Gharax shares a hex with other models, and the rules do not say whom an attack on them targets.",
                str(event.target),
                player="UM",
            )
        ]
    found: list[Remark] = []
    drawn: set[str] = set()
    for number, step in enumerate(event.steps):
        card = step.damage_card
        if card is None:
            found.append(
                omitted(
                    "CAL-SOR-01",
                    f"No Damage card was drawn for pass {number + 1}.",
                    str(number),
                    player="UM",
                    rests_on=None,
                )
            )
            continue
        if isinstance(card, str):
            single = position.card_waiting
            if number == 0 and single is not None and single.card == card:
                drawn.add(card)
                continue
            found += _known_card(position, card, str(number), drawn, hearing)
            drawn.add(card)
            continue
        found += _draw_faults(position, card, str(number), drawn, hearing)
        if card.card is not None:
            drawn.add(card.card)
    return found or RAN


def _draw_faults(position: Position, card: Any, place: str, drawn: set[str], hearing: Hearing) -> list[Remark]:
    """What is wrong with the drawing of one Damage card."""
    problems: list[str] = []
    by = card.by if card.by is not None else getattr(card, "player", None)
    if card.selection == "chosen":
        problems.append("the card was chosen, not drawn")
    if by == "WB":
        problems.append(f"{PLAYERS['WB']} drew it; {PLAYERS['UM']} do")
    if card.shuffled is False:
        problems.append("the deck was not shuffled before")
    if card.card is None:
        return [missing("CAL-SOR-01", ["the Damage card"], place, player="UM")]
    if problems:
        return [
            illegal(
                "CAL-SOR-01",
                f"Damage card {card.card}: {'; '.join(problems)}.",
                place,
                player=by if by is not None else "UM",
                rests_on=NO_FACTS,
            )
        ]
    if card.shuffled is None:
        return [
            omitted(
                "CAL-SOR-01",
                f"No shuffle of the Damage deck is recorded before card {card.card} was drawn.",
                place,
                player="UM",
                rests_on=NO_FACTS,
            )
        ]
    return _known_card(position, card.card, place, drawn, hearing)


def _known_card(position: Position, card: str, place: str, drawn: set[str], hearing: Hearing) -> list[Remark]:
    """A card that cannot come out of the deck as it lies."""
    if card not in position.table.locations:
        return [
            illegal("CAL-SOR-01", f'"{card}" is no card of the Damage deck.', place, player="UM", rests_on=NO_FACTS)
        ]
    if position.damage_in_deck is not None and card not in position.damage_in_deck:
        return [
            illegal(
                "CAL-SOR-01",
                f"Damage card {card} lies on the model and is not in the deck.",
                place,
                player="UM",
                rests_on=(("damage_deck",),),
            )
        ]
    deck = position.damage_in_deck
    # Where every card has been drawn, or nobody knows which there are, there may be no other to draw.
    if card in drawn and deck is not None and not deck <= drawn and hearing.ask("R-SOR-DECK") == "no_repeat_in_attack":
        return [
            illegal(
                "CAL-SOR-01",
                f"Damage card {card} was drawn twice in one attack.",
                place,
                player="UM",
                rests_on=(("damage_deck",),),
            )
        ]
    return []


@rule(
    "CAL-SOR-02",
    "Sor Gharax among the losses",
    section=15,
    events=("retreat",),
    kinds=("miscalculated", "illegal"),
    readings=("R-SOR-CAS",),
)
def sor_gharax_losses(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Sor Gharax counts as one model for all that counts models of a unit; whether a destroyed location counts as a model
    removed is a reading.

    Log:  the losses on which a retreat rests. A fault in them bears the number CAL-RET-01.
    """
    act = position.act
    if act is None or not any(act.locations.values()):
        return None
    return RAN


RULES = (grenade_harness, legion_vexilla, target_location, sor_gharax_losses)

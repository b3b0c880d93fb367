"""Sor Gharax and the Damage deck (SOR)."""

from __future__ import annotations

from msgspec import UNSET

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import TARGET_LOCATION, AttackView
from auditor.systems.calth.reckoning.lacking import lack_of_attack
from auditor.systems.calth.reckoning.licence import Warrant
from auditor.systems.calth.reckoning.views import (
    ActView,
    DestructionView,
    FloatingView,
)
from auditor.systems.calth.records import (
    Attack,
    CardDrawn,
    DamageCard,
    Retreat,
    WeaponDestroyed,
)
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.state import Position


@rule(
    TARGET_LOCATION,
    "Locations of Sor Gharax",
    section=15,
    events=("attack", "damage_card", "weapon_destroyed"),
    kinds=("illegal", "omitted", "ambiguous"),
    readings=("R-SOR-DECK",),
)
def target_location(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """When Sor Gharax is attacked nobody picks a target model: the Ultramarines player shuffles the Damage deck and
    draws a card, whose location is the target, anew in each pass.

    Log:  the shuffle, who drew, the card.
    Edge: a location removed does what its card says; cards that stay on the model are out of the deck. Where no card
          may come twice in an attack and all have come, the rules do not say how it goes on, and nobody is blamed.
    """
    if not event.steps:
        return None
    if not view.target_is_sor:
        return _drawn_against_others(view)
    if not view.target_is_only_sor:
        return [
            target_location.ambiguous(
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
            if step.target_model is not None:  # a model was picked; with neither, what was drawn is not recorded
                found.append(
                    target_location.omitted(
                        f"UM drew no Damage card for pass {number + 1}.",
                        str(number),
                        player="UM",
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


def _drawn_against_others(view: AttackView) -> Seen:
    """A Damage card is drawn for the model that the deck stands for, and for no other."""
    if view.target is None or (view.attacker is not None and view.attacker.side == view.target.side):
        return None
    number = next((n for n, step in enumerate(view.steps) if step.damage_card is not None), None)
    if number is None:
        return None
    card = view.steps[number].damage_card
    by = card.by if isinstance(card, CardDrawn) else None
    return [
        target_location.illegal(
            f"{by or 'UM'} drew a Damage card against {view.target.id}, and no model of it has a Damage deck.",
            str(number),
            player=by if by is not None else "UM",
        )
    ]


@target_location.at("damage_card")
def _card_drawn(event: DamageCard, view: FloatingView, position: Position, hearing: Hearing) -> Seen:
    """A card that is drawn outside an attack, or just before one."""
    return _draw_faults(position, event, "", set(), hearing) or RAN


@target_location.at("weapon_destroyed")
def _destroyed_by_card(event: WeaponDestroyed, view: DestructionView, position: Position, hearing: Hearing) -> Seen:
    """A weapon is destroyed by the Damage card that was drawn, or lies on the model, and says so."""
    if event.cause != "damage_card" or event.model is None or event.weapon is None:
        return None
    if view.destruction.warrant is not Warrant.NONE:
        return RAN
    model = position.table.models.get(event.model)
    why = "no card drawn or lying on it destroys it" if view.destruction.carried else "it carries no such weapon"
    return [
        target_location.illegal(
            f"The {event.weapon} of {event.model} was destroyed by a Damage card; {why}.",
            event.model,
            player=model.side if model is not None else "",
            claimed={"weapon_destroyed": [event.model, event.weapon]},
            recomputed={"weapon_destroyed": None},
            lacks=lack_of_attack(event, position),
        )
    ]


def _draw_faults(
    position: Position, card: CardDrawn | DamageCard, place: str, drawn: set[str], hearing: Hearing
) -> list[Remark]:
    """What is wrong with the drawing of one Damage card."""
    problems: list[str] = []
    by = card.by if card.by is not None or isinstance(card, CardDrawn) else card.player
    if card.selection == "chosen":
        problems.append("it was chosen, not drawn")
    if by == "WB":
        problems.append("it was for UM to draw")
    if card.shuffled is False:
        problems.append("the deck was not shuffled before")
    if card.card is None:
        return [target_location.missing(["the Damage card"], place, player="UM")]
    if problems:
        return [
            target_location.illegal(
                f"{by or 'UM'} took Damage card {card.card}: {'; '.join(problems)}.",
                place,
                player=by if by is not None else "UM",
            )
        ]
    if card.shuffled is None or card.shuffled is UNSET:
        return [
            target_location.omitted(
                f"UM drew Damage card {card.card}, and the log has no shuffle of the deck before.",
                place,
                player="UM",
            )
        ]
    return _known_card(position, card.card, place, drawn, hearing)


def _known_card(position: Position, card: str, place: str, drawn: set[str], hearing: Hearing) -> list[Remark]:
    """A card that cannot come out of the deck as it lies."""
    if card not in position.table.locations:
        return [target_location.ambiguous(f'UM drew "{card}"; the rosters list no Damage cards.', place, player="UM")]
    if position.damage_in_deck is not None and card not in position.damage_in_deck:
        return [
            target_location.illegal(
                f"UM drew Damage card {card}, which lies on the model and is not in the deck.",
                place,
                player="UM",
            )
        ]
    deck = position.damage_in_deck
    # Where every card has been drawn, or nobody knows which there are, there may be no other to draw.
    if card in drawn and deck is not None and not deck <= drawn and hearing.ask("R-SOR-DECK") == "no_repeat_in_attack":
        return [
            target_location.illegal(
                f"UM drew Damage card {card} twice in one attack.",
                place,
                player="UM",
            )
        ]
    return []


@rule(
    "CAL-SOR-02",
    "Sor Gharax among the losses",
    section=15,
    events=("retreat",),
    kinds=(),
    readings=("R-SOR-CAS",),
)
def sor_gharax_losses(event: Retreat, view: ActView, position: Position, hearing: Hearing) -> Seen:
    """Sor Gharax counts as one model for all that counts models of a unit; whether a destroyed location counts as a
    model removed is a reading.

    Log:  the losses on which a retreat rests. A fault in them bears the number CAL-RET-01.
    """
    act = position.act
    if act is None or not any(act.locations.values()):
        return None
    return RAN

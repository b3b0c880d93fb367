"""What a roll comes to (HCG-ROLL-01, HCG-ROLL-02, HCG-MOD-04)."""

from __future__ import annotations

from auditor.core.findings import Figure
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.state import Position, Rolling


def die_of(event: records.Roll, position: Position) -> int | None:
    """The die number of the rolled card; None where the card is not known or its number is no die's."""
    card = position.card_of(event.card)
    if card is None and event.card is not None and event.ids:
        card = position.table.cards.get(event.ids.get(event.card))
    return card.die if card is not None and card.die in range(1, 7) else None


def printed_need(ability: Ability | None) -> int | None:
    """The number that the test of a text asks for; None where it has no test, several, or an X."""
    needs = [cost.n for cost in ability.costs if cost.op == "test"] if ability is not None else []
    return needs[0] if len(needs) == 1 and isinstance(needs[0], int) else None


def total(roll: Rolling, hearing: Hearing) -> Figure | None:
    """The final number of a roll with its parts; None where it cannot be told."""
    if roll.die is None or roll.unsure:
        return None
    parts: list[tuple[str, int | str]] = [("die", roll.die)]
    value = roll.die
    for how, n in roll.changes:
        parts.append(("modifier", n) if how == "add" else ("set to", n))
        value = value + n if how == "add" else n
    if not 1 <= value <= 6 and hearing.ask("OR-ROLLRANGE") == "clamp-1-6":
        value = min(max(value, 1), 6)
    return Figure("roll", value, tuple(parts))


def change_of(event: records.Modifier, ability: Ability | None) -> tuple[str, int] | None:
    """What a modifier does to the number, as claimed, else as its text says; None where neither says."""
    if event.set is not None:
        return ("set", event.set)
    if event.amount is not None:
        return ("add", event.amount)
    if ability is None or ability.status != "full" or len(ability.effects) != 1 or event.reroll is not None:
        return None
    (effect,) = ability.effects
    if isinstance(effect.amount, int) and effect.op in ("roll_add", "roll_set"):
        return ("add" if effect.op == "roll_add" else "set", effect.amount)
    return None

"""X and the numbers that a text gives (HCG-X-01, HCG-X-02)."""

from __future__ import annotations

from typing import Any, NamedTuple

from auditor.core.rulings import Hearing
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.choices import choices_in, eligible
from auditor.systems.hcg.reckoning.plays import ability_of, play_by
from auditor.systems.hcg.reckoning.rolls import final_of
from auditor.systems.hcg.reckoning.values import now
from auditor.systems.hcg.records import Damage, Effect


class X(NamedTuple):
    """What an X comes to, and how: "armor of Salt Riders (p1-07)"."""

    value: int
    how: str


def is_counted(ability: Ability) -> bool:
    """Whether the X of an ability is taken from the table."""
    return ability.x is not None and ability.x.what not in ("int", "raw")


def defined_x(ability: Ability, play: Play, position: Position, hearing: Hearing) -> X | None:
    """The X that a text defines, on the table as the ability was announced; None where it defines none, or nobody can tell."""
    x, position = ability.x, position.as_announced(play)
    if x is None or x.what == "raw":
        return None
    if x.what == "int":
        return X(x.n, "as printed") if x.n is not None else None
    if x.what == "number_of":
        if x.cards is None or x.cards.where != "here" or x.cards.kind == "card":
            return None
        found, unsure = eligible(x.cards, "", position, play.by, play.card, hearing)
        return None if unsure else X(len(found), "cards counted")
    bearer = play.card if x.of == "this" else _chosen(ability, play)
    card = position.card_of(bearer)
    if bearer is None or card is None or x.stat is None:
        return None
    value, *others = now(position, bearer, x.stat, hearing)
    printed = card.flags if x.stat == "flags" else card.stats.get(x.stat)
    if value.unknown or printed is None or value.tainted or others:
        return None
    how = f"{x.stat} of {position.named(bearer)}"
    if value.amount != printed and hearing.ask("OR-XSTAT") == "printed":
        return X(printed, how)
    return X(value.amount, how)


def told(event: Effect | Damage, position: Position, hearing: Hearing) -> int | None:
    """The number that the text of an ability gives for what an event says it did; None where nobody can tell."""
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or ability.status != "full":
        return None
    op = event.op if isinstance(event, Effect) else "damage"
    stat = "flags" if isinstance(event, Effect) and event.stat == "flag" else getattr(event, "stat", None)
    amounts: set[Any] = set()
    for effect in ability.effects:
        if effect.op == op:
            changes = {change.amount for change in effect.changes if change.stat == stat}
            amounts |= changes if op == "modify" else {effect.amount}
    if len(amounts) != 1:
        return None
    amount = amounts.pop()
    if isinstance(amount, int):
        return amount
    if amount in ("X", "-X"):
        value = named_x(ability, play, position, hearing)
    else:
        value = rolled(play, "d6", position, hearing)
    return value if value is None or not amount.startswith("-") else -value


def rolled(play: Play, purpose: str, position: Position, hearing: Hearing) -> int | None:
    """The final number of the last roll of an ability for a purpose, as the table went on with it; None where there is
    none, or nobody can say."""
    roll = position.roll
    if roll is None or roll.source != (play.card, play.ability) or roll.purpose not in (None, purpose):
        return None
    if roll.settled:
        return roll.final
    return final_of(roll, hearing)


def _chosen(ability: Ability, play: Play) -> str | None:
    """The one card that was chosen, where there is just one."""
    wanted = choices_in(ability, play)
    if wanted is None or len(wanted) != 1 or play.choices is None or len(play.choices) != 1:
        return None
    return play.choices[0]


def named_x(ability: Ability, play: Play, position: Position, hearing: Hearing) -> int | None:
    """The X of an ability as its player named it, or as its text gives it; None where nobody can tell now."""
    if ability.x is not None and ability.x.what == "int":
        return ability.x.n
    if play.x is not None:
        return play.x
    if ability.x is None:
        return None
    found = defined_x(ability, play, position, hearing)
    return found.value if found is not None else None

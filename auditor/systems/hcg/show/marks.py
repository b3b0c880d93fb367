"""The act of an event as marks on a board of cards (`report/boards/cards` lists them): who acts, and what is reckoned."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Span
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.readings import DEFAULTS
from auditor.systems.hcg.reckoning.attacks import blow, destroys
from auditor.systems.hcg.reckoning.plays import ability_of
from auditor.systems.hcg.reckoning.values import Value

Marks = list[dict[str, Any]]


def marks(event: records.Event, position: Position) -> Marks:
    """The act of an event: who attacks whom, else the cards that it names; then the sums of an attack, the need and the roll
    of a test, the part of a printed text that the event carries out, and who is said to take a sector."""
    return [
        *_act(event, position),
        *_sums(event, position),
        *_test(event),
        *_text(event, position),
        *_taken(event, position),
    ]


def _act(event: records.Event, position: Position) -> Marks:
    unit, target = getattr(event, "unit", None), getattr(event, "target", None)
    if isinstance(unit, str) and isinstance(target, str):
        return [_attack(unit, target, position)]
    if isinstance(event, records.Damage) and isinstance(event.from_, str) and isinstance(event.to, str):
        return [_attack(event.from_, event.to, position)]
    source = getattr(event, "source", None)
    named = [unit, getattr(event, "card", None), getattr(source, "card", None), target]
    ids = dict.fromkeys(one for one in named if isinstance(one, str))
    return [{"mark": "card", "card": one, "title": position.named(one), "how": "acts"} for one in ids]


def _attack(unit: str, target: str, position: Position) -> dict[str, Any]:
    titles = {"from_title": position.named(unit), "to_title": position.named(target)}
    return {"mark": "attack", "from": unit, "to": target, **titles}


def _sums(event: records.Event, position: Position) -> Marks:
    """How the damage of an attack and the armor that it meets come about, and what comes of it; nothing where that hangs on an
    open reading or on a text that was not read."""
    if not isinstance(event, records.Damage):
        return []
    hearing = Hearing(DEFAULTS)
    due = blow(event, position, hearing)
    if due is None or due.unknown or due.tainted:
        return []
    destroyed = destroys(due.amount.amount, due.armor.amount, hearing, due.before)
    if hearing.asked:
        return []
    damage = _sum(due.source, due.amount, position)
    damage |= {"against": f"armor {due.armor.amount}", "outcome": "destroyed" if destroyed else "not destroyed"}
    return [damage, _sum(due.to, due.armor, position)]


def _sum(instance: str, value: Value, position: Position) -> dict[str, Any]:
    parts = [[part.what, part.amount] for part in value.parts]
    mark = {"mark": "sum", "card": instance, "title": position.named(instance), "stat": value.stat, "parts": parts}
    return {**mark, "total": value.amount}


def _test(event: records.Event) -> Marks:
    if not isinstance(event, records.Roll) or event.need is None or event.die is None:
        return []
    return [{"mark": "test", "need": event.need, "roll": event.die, "final": event.final}]


def _taken(event: records.Event, position: Position) -> Marks:
    """Who the log says takes the sector of a battle; nothing where it does not say so."""
    battle = position.battle
    if isinstance(event, records.VictoryResult) and battle is not None:
        return [] if event.winner is UNSET else [_takes(battle.sector, event.winner)]
    if isinstance(event, records.SectorTaken) and isinstance(event.sector, int) and event.by:
        return [_takes(event.sector, event.by)]
    return []


def _takes(sector: int, player: str | None) -> dict[str, Any]:
    return {"mark": "takes", "sector": sector, "player": player, "how": "claimed"}


def _text(event: records.Event, position: Position) -> Marks:
    """The text that an event is of, with the cost or the effect that it carries out."""
    source = getattr(event, "source", None)
    if not isinstance(source, records.Source) or source.card is None:
        return []
    ability = ability_of(position, source)
    if ability is None:
        return []
    part = _part(event, ability)
    mark: dict[str, Any] = {"mark": "text", "card": source.card, "text": ability.text}
    return [{**mark, "from": part[0], "to": part[1]} if part is not None else mark]


def _part(event: records.Event, ability: Ability) -> Span | None:
    """The place of the cost or the effect that an event carries out, where the text has one such alone."""
    if isinstance(event, records.Roll):
        found = [cost.at for cost in ability.costs if cost.op == "test"]
    elif isinstance(event, records.Cost):
        found = [cost.at for cost in ability.costs if cost.op == event.op]
    else:
        op = event.op if isinstance(event, records.Effect) else type(event).__struct_config__.tag
        found = [effect.at for effect in ability.effects if effect.op == op]
    return found[0] if len(found) == 1 else None

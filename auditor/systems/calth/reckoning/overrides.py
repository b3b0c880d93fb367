"""What an override on an event says: the scenario rule or card that it names, and the rules that this takes out of
force.
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.systems.calth.packs import SpecialRule
from auditor.systems.calth.reckoning.labels import unit_called, units_called
from auditor.systems.calth.records import Attack, Attempt, CardPlay, Event, LastStand, Reroll, Step, TpLoss
from auditor.systems.calth.state import OTHER, Position, Unit


def override_named(position: Position, event: Event) -> SpecialRule | None:
    """The scenario rule or card that an event's override names, if the data know it."""
    if event.override is None:
        return None
    source = event.override.source
    return rule_named(position, source) if source is not None else None


def rule_named(position: Position, source: str) -> SpecialRule | None:
    """The special rule of the scenario or the card of this id or name, if the data know it."""
    table = position.table
    rules = table.scenario.special_rules if table.scenario is not None else {}
    cards = table.cards or {}
    found = rules.get(source) or cards.get(source)
    if found is not None:
        return found
    wanted = source.casefold()
    return next((one for known in (rules, cards) for one in known.values() if one.name.casefold() == wanted), None)


def text_that_rerolls(position: Position, entries: Iterable[Reroll]) -> SpecialRule | None:
    """The special rule or card, known by its text alone, by which dice are said to be rolled again: whether it gives
    that nobody can tell (CAL-AUD-05).
    """
    for entry in entries:
        if entry.source is not None and entry.source != "vexilla":
            known = rule_named(position, entry.source)
            if known is not None and known.effect is None:
                return known
    return None


def by_vexilla(position: Position, roll: Attack | Step | Attempt | LastStand) -> list[Reroll]:
    """The re-rolls beside a roll save those of a rule known by its text alone: they are those of a Legion Vexilla."""
    entries = [entry for entry in (roll.vexilla, *(roll.rerolls or ())) if entry is not None]
    return [entry for entry in entries if text_that_rerolls(position, [entry]) is None]


def suspended(position: Position, event: Event) -> frozenset[str]:
    """Rules that are out of force for an event, or whose force is left open, by its override or a card played before
    (CAL-AUD-05).
    """
    named = named_by_override(position, event)
    if not position.suspensions:
        return named
    labels = {getattr(event, name, None) for name in ("unit", "attacker", "target")}
    concerned = {model for label in labels for unit in units_called(position, label) for model in unit.models}
    for held in position.suspensions:
        over = isinstance(held.until, int) and event.seq > held.until
        if not over and not held.models.isdisjoint(concerned):
            named |= held.rules
    return named


def named_by_override(position: Position, event: Event) -> frozenset[str]:
    """Rules that the override on an event takes out of force, or whose force it leaves open."""
    if event.override is None:
        return frozenset()
    known = override_named(position, event)
    named = frozenset(event.override.rule_ids or ())
    if known is None:
        return named
    if known.effect is None:
        return named | known.rule_ids
    suspends: frozenset[str] = known.effect.suspends
    return suspends


def tps_given(position: Position, event: Event) -> tuple[Unit | None, int]:
    """The unit to which the override on an event gives TPs, and how many: it takes some where they are less than 0.

    A card that is played and a `tp_loss` apply the effect themselves.
    """
    if event.override is None or isinstance(event, (CardPlay, TpLoss)):
        return None, 0
    known = override_named(position, event)
    if known is None or known.effect is None or not known.effect.tp:
        return None, 0
    label = getattr(event, "target", None) or getattr(event, "unit", None)
    side = None
    if getattr(event, "target", None) is not None and event.player is not None:
        side = OTHER[event.player]
    return unit_called(position, label, side or event.player), known.effect.tp

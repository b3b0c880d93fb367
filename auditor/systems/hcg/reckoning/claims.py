"""What an ability gives and for how long, why a battle ended, whose copies went back: as far as the record so far tells."""

from __future__ import annotations

from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.plays import ability_of, announced, misplayed, play_by


def cause_of_end(position: Position) -> str | None:
    """Why the battle that is now over ended; None where that is not sure."""
    battle = position.battle
    if battle is None:
        return None
    if battle.step == "setup":
        return "skip" if battle.skipped else None
    if not battle.withdrawn:
        return "double_pass" if battle.passes >= 2 else None
    partial = battle.victory is None or battle.victory.partial
    return "withdraw" if battle.ba and not battle.passes and not partial else None


def op_of(event: records.Effect, position: Position) -> str | None:
    """What an `effect` did, as it says or else as its text does; None where the text was not read or does several things."""
    if event.op is not None:
        return event.op
    ability = ability_of(position, play_by(event, position))
    if ability is None or ability.status == "none":
        return None
    found = {effect.op for effect in ability.effects}
    return found.pop() if len(found) == 1 and found.isdisjoint(("table", "raw")) else None


def stat_of(event: records.Effect, position: Position) -> str | None:
    """Which number an `effect` that does not name it changed, by its text; None where that has none, or several that it may be."""
    if event.op != "modify" or event.stat is not None:
        return None
    ability = ability_of(position, play_by(event, position))
    changes = [change for effect in (ability.effects if ability is not None else ()) for change in effect.changes]
    found = {change.stat for change in changes}
    if len(found) > 1:
        found = {change.stat for change in changes if change.amount == event.amount}
    return found.pop() if len(found) == 1 else None


def until_of(event: records.Effect, position: Position) -> str | None:
    """How long what an `effect` gives lasts, by the text that was played in a battle action; None where that tells nothing,
    or several things."""
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or ability.status != "full" or ability.type != play.kind:
        return None
    if position.action is None or play.kind not in ("BA", "T", "R", "M", "A"):
        return None
    if any(effect.op in ("table", "raw") for effect in ability.effects):
        return None
    found = {effect.until or "ba" for effect in ability.effects if effect.op == event.op}
    return found.pop() if len(found) == 1 and event.op in ("modify", "grant", "flags") else None


def modifies(event: records.Modifier, position: Position) -> tuple[str, int] | None:
    """What the text of a modifier does to the number: ("amount" or "set", number); None where it does not say so alone."""
    play = announced(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or ability.status != "full" or misplayed(play, ability, position):
        return None
    if len(ability.effects) != 1 or event.reroll is not None:
        return None
    (effect,) = ability.effects
    if effect.op not in ("roll_add", "roll_set") or not isinstance(effect.amount, int):
        return None
    return ("amount" if effect.op == "roll_add" else "set", effect.amount)


def sent_back_by(event: records.Event, position: Position) -> str | None:
    """The player whose copies a `setup.unique` sends back, where all are of one; None where that cannot be told."""
    if not isinstance(event, records.SetupUnique) or not event.returned or event.by not in position.table.other:
        return None
    places = [position.at.get(one) for one in event.returned]
    whose = {at.player if at is not None else None for at in places}
    whose |= {position.owner.get(one) for one in event.returned}
    return whose.pop() if len(whose) == 1 else None

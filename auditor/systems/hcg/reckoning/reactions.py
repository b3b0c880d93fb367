"""What a reaction may answer: what has just happened, who started it, and whether a text means it (HCG-REA-01)."""

from __future__ import annotations

from typing import Any

from auditor.systems.hcg import records
from auditor.systems.hcg.abilities.shapes import Trigger
from auditor.systems.hcg.position.parts import Happening, Window
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import Outcome, is_counter
from auditor.systems.hcg.reckoning.costs import is_next
from auditor.systems.hcg.reckoning.plays import play_by
from auditor.systems.hcg.reckoning.selectors import fits

_TO_CARDS: dict[type, str] = {
    records.Destroy: "destroyed",
    records.Lock: "locked",
    records.Infiltrate: "infiltrated",
}
_COSTS = {"destroy": "destroyed", "lock": "locked"}
BRINGS_ABOUT = frozenset(
    {
        *_TO_CARDS, records.Damage, records.BaShoot, records.BaAssault, records.BaCharge, records.Sweep, records.Block,
        records.Cost, records.Draw, records.Discard, records.BaCard, records.Tactic, records.Reaction, records.Modifier,
    }
)  # fmt: skip
"""Event types that bring about what a reaction may answer."""


def happenings(event: Any, position: Position, fell: Outcome | None) -> list[Happening]:
    """What an event brings about that a reaction may answer; looked at before the event changes the position.

    `fell`: what the damage of the event comes to.
    """
    action, seq = position.action, event.seq
    by = event.by if event.by in position.table.other else None

    def cards(what: str, *instances: str | None, who: str | None = by) -> list[Happening]:
        return [Happening(seq, what, who, one, position.at.get(one)) for one in instances if one is not None]

    if isinstance(event, records.Damage):
        assert fell is not None
        if fell.destroyed is False and not fell.disputed:
            return []
        target = event.to if event.by_ability else event.to or _struck(event, position)
        sure = bool(fell.destroyed) and not fell.disputed
        return [one._replace(sure=sure) for one in cards("destroyed", target, who=_starter(event, position))]
    if isinstance(event, records.BaShoot):
        return [*cards("shoots", event.unit), *cards("locked", event.unit), *cards("attacked", event.target)]
    if isinstance(event, records.BaAssault):
        return [*cards("assaults", event.unit), *cards("locked", event.unit), *cards("attacked", event.target)]
    if isinstance(event, records.BaCharge):
        return cards("charges", event.unit)
    if isinstance(event, records.Sweep):
        who = action.by if action is not None else by
        return [*cards("assaults", event.unit, who=who), *cards("attacked", event.target, who=who)]
    if isinstance(event, records.Block):
        who = by if by is not None or action is None else position.other(action.by)
        return [one for what in ("blocks", "locked", "attacked") for one in cards(what, event.unit, who=who)]
    if isinstance(event, records.Cost):
        play = play_by(event, position)
        who = play.by if play is not None else by
        if event.op in ("discard",):
            return [Happening(seq, "discards", who, player=who)]
        return cards(_COSTS[event.op], *(event.cards or ()), who=who) if event.op in _COSTS else []
    if isinstance(event, (records.Draw, records.Discard)):
        what = "draws" if isinstance(event, records.Draw) else "discards"
        return [Happening(seq, what, _starter(event, position), player=by)]
    if type(event) in _TO_CARDS:
        return cards(_TO_CARDS[type(event)], *(event.cards or ()), who=_starter(event, position))
    if isinstance(event, records.BaCard) or _from_hand(event):
        return [Happening(seq, "plays", by, player=by)]
    return []


def _from_hand(event: records.Event) -> bool:
    source = getattr(event, "source", None)
    return isinstance(source, records.Source) and source.zone == "hand"


def _struck(event: records.Damage, position: Position) -> str | None:
    action = position.action
    if action is None:
        return None
    return action.unit if event.counter else action.defending


def _starter(event: records.Event, position: Position) -> str | None:
    """Who started what an event did: the controller of its ability, else the player of the attack (HCG-REA-03)."""
    action = position.action
    if isinstance(event, records.Damage) and not event.by_ability:
        return action.by if action is not None else None
    play = play_by(event, position)
    if play is not None:
        return play.by
    source = getattr(event, "source", None)
    at = position.at.get(source.card) if source is not None and source.card is not None else None
    if at is not None:
        return at.player
    return action.by if action is not None else None


def answers(trigger: Trigger, one: Happening, play: Play, position: Position) -> bool | None:
    """Whether what has happened is what the trigger of a text means; None where nobody can tell."""
    if trigger.what == "raw":
        return True  # Taken to have happened where the log names an event for it (catalogue 8.5).
    if trigger.what != one.what:
        return False
    if not one.sure:
        return None
    if trigger.player is not None:
        if one.player is None:
            return None
        return trigger.player == "each" or (one.player == play.by) == (trigger.player == "you")
    if trigger.cards is None or one.card is None:
        return None
    if trigger.cards.q == "self":
        return one.card == play.card
    card = position.card_of(one.card)
    at = one.at if one.at is not None else position.at.get(one.card)
    if card is None or not isinstance(at, At):
        return None
    means = fits(trigger.cards, one.card, card, at, position, play.by, play.card)
    # Texts that name no ships do not affect them (HCG-SHIP-03); whether "a card" of a trigger means one is left open.
    return None if means and card.kind == "ship" and trigger.cards.kind == "card" else means


# -- the window ---------------------------------------------------------------------------------------------------


def goes_on(event: records.Event, position: Position) -> bool:
    """Whether an event leaves what has happened behind; a counterattack belongs to the step of the damage before it."""
    action = position.action
    if isinstance(event, records.Damage) and action is not None and action.dealt:
        return not is_counter(event, action) and not event.by_ability
    return is_next(event)


def window_of(event: Any, position: Position) -> Window | None:
    """The reaction window that an event belongs to, as it stands, or as it opens; None where nobody knows whose say it
    is."""
    found = [one for one in position.windows if one.kind == "reaction" and event.trigger == one.trigger]
    if found:
        return found[-1]
    started = [one for one in position.happened if event.trigger == one.seq]
    if not started or started[-1].by is None:
        return None
    opener, trigger, ba = started[-1].by, started[-1].seq, position.action.n if position.action else None
    # Of an event of which a line before it speaks (HCG-DOC-05) nobody knows who had the first say.
    return Window("reaction", opener, opener, ba=ba, trigger=trigger, astray=trigger in position.said_early)

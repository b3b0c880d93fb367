"""What each event claims, in one line for those who read the course of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import UNSET

from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position

MOST_NAMED = 6
"""Cards that a line names; of more it says how many there are."""

Named = Callable[[Any], str]
"""An instance in words; None is "a card"."""


def describe(event: records.Event, position: Position | None) -> str:
    """One line that says what an event claims."""
    name = str(type(event).__struct_config__.tag)
    tell = TOLD.get(name)
    said = tell(event, _names(event, position)) if tell is not None else name.replace(".", " ").replace("_", " ")
    return f"{event.by}: {said}" if event.by else said


def _names(event: records.Event, position: Position | None) -> Named:
    """Instances by the cards that they are known to be, or that the event shows them to be."""

    def named(instance: Any) -> str:
        if instance is None:
            return "a card"
        if position is None:
            return str(instance)
        shown = position.table.cards.get((event.ids or {}).get(instance))
        return position.named(instance) if shown is None else f"{shown.title} ({instance})"

    return named


def _all(cards: Iterable[Any] | None, named: Named, nothing: str = "cards that are not named") -> str:
    """Several cards in words."""
    if cards is None:
        return nothing
    told = [named(card) for card in cards]
    if len(told) > MOST_NAMED:
        return f"{len(told)} cards"
    if len(told) < 2:
        return told[0] if told else "no card"
    return f"{', '.join(told[:-1])} and {told[-1]}"


def _source(event: Any, named: Named) -> str:
    """Which ability of which card."""
    source = event.source
    if not isinstance(source, records.Source) or source.card is None:
        return "an ability that is not named"
    text = "command line" if source.ability == "line" or source.zone == "hand" else "ability"
    return f"the {text} of {named(source.card)}"


def _on(event: Any, named: Named) -> str:
    """On which cards an ability is played."""
    chosen = event.choices.cards if event.choices is not None else ()
    return f" on {_all(chosen, named)}" if chosen else ""


def _sector(n: int | None) -> str:
    return "a sector" if n is None else f"sector {n}"


def _counted(n: int | None, what: str = "card") -> str:
    return f"{what}s" if n is None else f"1 {what}" if n == 1 else f"{n} {what}s"


def _or_unknown(n: int | None) -> str:
    return "an unknown number" if n is None else str(n)


def _result(event: Any, words: str) -> str:
    winner = event.winner
    return words if winner is UNSET else f"{words}: {'nobody' if winner is None else winner} wins"


def _roll(event: records.Roll, named: Named) -> str:
    shown = f" {named(event.card)}" if event.card is not None else ""
    die = "" if event.die is None else f", {event.die}"
    need = "" if event.need is None else f"; {event.need} or more is needed"
    passed = {True: ", passed", False: ", failed", None: ""}[event.passed]
    return f"rolls{shown}{die}{need}{passed}"


def _modifier(event: records.Modifier, named: Named) -> str:
    change = (
        f" by {event.amount:+}" if event.amount is not None
        else f" to {event.set}" if event.set is not None
        else ", by a new one" if event.reroll is not None
        else ""
    )  # fmt: skip
    return f"changes a roll{change} with {_source(event, named)}"


def _damage(event: records.Damage, named: Named) -> str:
    amount = "damage" if event.amount is None else f"{event.amount} damage"
    armor = "" if event.armor is None else f", armor {event.armor}"
    lost = {True: ": destroyed", False: ": it survives", None: ""}[event.destroyed]
    striker = "" if event.from_ is None else f"{named(event.from_)} deals "
    back = " in the counterattack" if event.counter else ""
    return f"{striker}{amount} to {named(event.to)}{back}{armor}{lost}"


def _effect(event: records.Effect, named: Named) -> str:
    number = " ".join(part for part in ("" if event.amount is None else f"{event.amount:+}", event.stat or "") if part)
    targets = f" for {_all(event.targets, named)}" if event.targets else ""
    return f"{event.op or 'an effect'}{f' {number}' if number else ''}{targets}, by {_source(event, named)}"


def _draw(event: records.Draw, named: Named) -> str:
    n = event.n if event.n is not None else None if event.cards is None else len(event.cards)
    return f"draws {_counted(n)}" + (f" for {event.cause.replace('_', ' ')}" if event.cause else "")


def _infiltrates(event: records.Infiltrate, named: Named) -> str:
    return f"infiltrates {_all(event.cards, named)} to {_sector(event.sector)}"


def _passes(what: str) -> Callable[[Any, Named], str]:
    return lambda event, named: f"passes on {what}"


def _changes(verb: str) -> Callable[[Any, Named], str]:
    def tell(event: records.Change, named: Named) -> str:
        cards = _all(event.cards, named)
        return f"{verb} {cards}" if event.by else f"{cards}: {verb}"

    return tell


TOLD: Mapping[str, Callable[[Any, Named], str]] = {
    "setup.shuffle": lambda e, n: "shuffles the deck",
    "setup.reveal": lambda e, n: f"reveals {n(e.card)}" + ("" if e.die is None else f", die number {e.die}"),
    "setup.coin": lambda e, n: f"the coin: {e.winner or 'nobody'} wins",
    "setup.role": lambda e, n: f"takes the role of planet {e.role}" if e.role else "takes a role",
    "setup.planet": lambda e, n: f"chooses the planet {e.planet or 'of the battles'}",
    "turn.start": lambda e, n: f"turn {e.turn} begins" if e.turn else "a turn begins",
    "turn.end": lambda e, n: f"turn {e.turn} ends" if e.turn else "the turn ends",
    "phase.start": lambda e, n: f"the {(e.phase or 'next').replace('_', ' ')} phase begins",
    "deploy.first": lambda e, n: f"flips {n(e.card)} to {_sector(e.sector)}",
    "deploy.regular": lambda e, n: f"deploys {n(e.card)} to {_sector(e.sector)}",
    "draw": _draw,
    "reshuffle": lambda e, n: "shuffles the discard pile into a new deck",
    "battle.choose": lambda e, n: f"chooses to fight at {_sector(e.sector)}",
    "battle.none": lambda e, n: "fights no battle",
    "battle.end": lambda e, n: "the battle ends" + (f": {e.cause.replace('_', ' ')}" if e.cause else ""),
    "setup.flip": lambda e, n: f"turned up: {_all([one.card for one in e.cards or ()], n)}",
    "setup.unique": lambda e, n: f"unique cards return: {_all(e.returned, n)}",
    "setup.ability": lambda e, n: f"carries out {_source(e, n)}{_on(e, n)}",
    "setup.ships": lambda e, n: f"ships go to the fleet: {_all(e.ships, n)}",
    "setup.skip": lambda e, n: "the battle is skipped",
    "ba.shoot": lambda e, n: f"{n(e.unit)} shoots at {n(e.target)}",
    "ba.charge": lambda e, n: f"{n(e.unit)} charges",
    "ba.assault": lambda e, n: (
        f"{n(e.unit)} makes a special assault{_on(e, n)}" if e.special else f"{n(e.unit)} assaults {n(e.target)}"
    ),
    "ba.card": lambda e, n: f"plays {n(e.card)}{_on(e, n)}",
    "ba.ability": lambda e, n: f"uses {_source(e, n)}{_on(e, n)}",
    "ba.withdraw": lambda e, n: "withdraws",
    "ba.pass": lambda e, n: "passes",
    "ba.end": lambda e, n: "the battle action ends",
    "block": lambda e, n: f"blocks with {n(e.unit)}",
    "block.none": lambda e, n: "does not block",
    "cost": lambda e, n: f"pays: {e.op or 'a cost'} {_all(e.cards, n)}",
    "roll": _roll,
    "roll.final": lambda e, n: "the roll stands" + ("" if e.final is None else f" at {e.final}"),
    "tactic": lambda e, n: f"plays {_source(e, n)}{_on(e, n)}",
    "tactic.pass": _passes("tactics"),
    "reaction": lambda e, n: f"reacts with {_source(e, n)}{_on(e, n)}",
    "reaction.pass": _passes("a reaction"),
    "modifier": _modifier,
    "modifier.pass": _passes("changing the roll"),
    "effect": _effect,
    "damage": _damage,
    "destroy": _changes("destroyed"),
    "lock": _changes("locked"),
    "rally": _changes("rallied"),
    "return": _changes("returned"),
    "discard": _changes("discarded"),
    "mill": _changes("discarded off the deck"),
    "infiltrate": _infiltrates,
    "sweep": lambda e, n: f"{n(e.unit)} sweeps on to {n(e.target)}",
    "sweep.none": lambda e, n: f"{n(e.unit)} does not sweep",
    "special": lambda e, n: f"the special assault of {n(e.unit)} takes effect",
    "special.none": lambda e, n: f"the special assault of {n(e.unit)} has no effect",
    "victory.flags": lambda e, n: f"flags: {_or_unknown(e.atk)} of the attacker, {_or_unknown(e.dfd)} of the defender",
    "victory.reveal": lambda e, n: f"shows {_all(e.cards, n)}",
    "event": lambda e, n: f"resolves {_source(e, n)}{_on(e, n)}",
    "victory.discard": lambda e, n: f"discards the command hand: {_all(e.cards, n)}",
    "victory.result": lambda e, n: _result(e, "the battle is decided"),
    "sector.taken": lambda e, n: f"{_sector(e.sector)} is taken",
    "sector.reset": lambda e, n: f"{_sector(e.sector)} is reset",
    "end.ships": lambda e, n: f"ships rally: {_all(e.rallied, n)}",
    "end.check": lambda e, n: _result(e, "is the game over?") if e.winner is not None else "the game is not over",
    "game.end": lambda e, n: _result(e, "the game ends"),
    "position": lambda e, n: "the position is stated",
    "undo": lambda e, n: "an event is taken back" if e.to is None else f"play goes back to event {e.to}",
    "judge": lambda e, n: f"a judge: {e.text}" if e.text else "a judge settles something",
    "remark": lambda e, n: f"remark: {e.text}" if e.text else "a remark",
    "end": lambda e, n: f"the record ends: {e.reason}" if e.reason else "the record ends",
}
"""How each type of event is told. A line of a player's begins with the player."""

"""What allows an act: here it is reckoned, the rules judge it (`rules/activation.py`), and `adopt` may go by it."""

from __future__ import annotations

from enum import Enum
from typing import Literal, NamedTuple

from auditor.systems.calth import records
from auditor.systems.calth.packs import Effect, SpecialRule
from auditor.systems.calth.reckoning.labels import is_gone, unit_called, units_called
from auditor.systems.calth.reckoning.overrides import override_named
from auditor.systems.calth.state import OTHER, Position, Unit

Licence = Literal["activation", "second", "first", "other", "none", "part"]
"""What the open activation says of an act:

activation  it is the action declared
second      it is a second action in one activation
first       it is another action than the one declared, which follows
other       it is another action than the one declared, and that is not recorded
none        it is of a unit that was not activated
part        it is no action, but a part of one or no act of a unit; rules of its own say what allows it
"""


def licence_of(position: Position, unit: Unit | None, action: str, done: bool) -> Licence:
    """Whether the open activation allows this action to a unit; `done`: it has been made before."""
    act = position.act
    if act is None or unit is None or unit.side != act.side:
        return "none" if unit is not None else "part"
    if act.stead is not None and position.of_act(act.stead[0]) is unit:
        return "activation" if act.stead[1] == action else "other"
    if position.of_act(act.hex) is not unit:
        return "none"
    if act.action == action:
        return "second" if done or act.other_made else "activation"
    if act.moved or act.attacked:
        return "second"
    return "first" if act.action in position.recorded.actions.get(act.number, ()) else "other"


def action_of(what: str | None) -> str | None:
    """The action of which a role of an attack or a cause of a move is a part; None of those that are part of none."""
    return "assault" if what == "assault_pre" else what if what in _ACTIONS else None


_ACTIONS = frozenset({"advance", "run", "consolidate", "assault", "shoot"})


# -- lines that change the position ---------------------------------------------------------------------------


class Held(NamedTuple):
    """What an event of the open action changed by its stated or computed effects; later lines may restate it.

    what     tps: TPs were lost; attack, overheat, last_stand: models were at stake; card: a Damage card was drawn;
             location: a location of Sor Gharax was removed
    cause    what a line that restates it would name
    models   whom it was done to
    before   TPs before it, and `after` it
    weapon   the Damage card
    """

    what: str
    cause: str
    models: tuple[str, ...]
    before: int = 0
    after: int = 0
    weapon: str | None = None


class Warrant(Enum):
    """What stands behind a line that changes the position."""

    ECHO = "it restates what an event before it in the action did"
    DIFFERS = "it restates an event before it in the action, and disagrees with it"
    GIVEN = "the effect of a card or special rule gives it"
    OPEN = "a card or special rule may give it; nobody can tell"
    UNSTATED = "the record does not state its cause"
    NONE = "nothing"


class TpsChanged(NamedTuple):
    """What a `tp_loss` line does, by the rules.

    before  TPs that the unit had before the loss
    amount  TPs that it loses by what licenses the line; None where only the line says
    due     TPs that it has afterwards; None where nobody can tell
    """

    warrant: Warrant
    unit: Unit | None
    before: int = 0
    amount: int | None = None
    due: int | None = None


def change_told(event: records.TpLoss, position: Position) -> TpsChanged:
    """What licenses a `tp_loss`, and what it comes to (catalogue section 5, Echoes and licences)."""
    unit = _unit_losing(event, position)
    if unit is None:
        return TpsChanged(Warrant.UNSTATED if event.cause is None else Warrant.NONE, None)
    held = _tps_held(position, unit)
    own = [h for h in held if h.cause == event.cause]
    for one in (*reversed(own), *reversed(held)):
        if event.amount in (None, one.before - one.after) and event.tp_after in (None, one.after):
            return TpsChanged(Warrant.ECHO, unit, one.before, one.before - one.after, unit.tp)
    if own:
        one = own[-1]
        return TpsChanged(Warrant.DIFFERS, unit, one.before, one.before - one.after, one.after)
    stated = possible_before(event, unit)
    for effect in effects_named(event, position):
        if effect is not None and effect.tp is not None:
            after = max(0, stated + effect.tp)
            return TpsChanged(Warrant.GIVEN, unit, unit.tp, stated - after, after)
    amount = event.amount
    due = max(0, stated - amount) if amount is not None else None
    if None in effects_named(event, position):
        return TpsChanged(Warrant.OPEN, unit, unit.tp, None, due)
    return TpsChanged(Warrant.UNSTATED if event.cause is None else Warrant.NONE, unit, unit.tp, None, due)


def _unit_losing(event: records.TpLoss, position: Position) -> Unit | None:
    """The unit of a `tp_loss`; where both sides use its label, the one of which the line restates a loss, or whose TPs
    it states, before that of the player.
    """
    units = units_called(position, event.unit)
    if len(units) > 1:
        restating = [unit for unit in units if any(held.cause == event.cause for held in _tps_held(position, unit))]
        agreeing = [unit for unit in restating or units if unit.tp == event.tp_before]
        units = agreeing or restating or [unit for unit in units if unit.side == event.player] or units
    return units[0] if units else None


def _tps_held(position: Position, unit: Unit) -> list[Held]:
    """The losses of a unit in the open action."""
    return [h for h in position.held if h.what == "tps" and not set(h.models).isdisjoint(unit.models)]


def target_of(event: records.CardPlay, position: Position) -> Unit | None:
    """The unit that a card is played on; where both sides use its label, that of the other side."""
    return unit_called(position, event.target, OTHER[event.player] if event.player is not None else None)


def possible_before(event: records.TpLoss, unit: Unit) -> int:
    """The TPs before a loss: the log's own number, if it can exist."""
    return event.tp_before if event.tp_before is not None and event.tp_before >= 0 else unit.tp


def effects_named(event: records.Event, position: Position) -> list[Effect | None]:
    """The effects that a line may rest on: of its override, of cards played in the action, of what its cause names.

    None stands for one that nobody can tell: a text, a card that the data do not know, one that is not named.
    """
    if event.override is not None:
        known = override_named(position, event)
        return [known.effect if known is not None else None]
    table = position.table
    found: list[Effect | None] = []
    for card in position.cards_played:
        row = (table.cards or {}).get(card)
        found.append(row.effect if row is not None else None)
    cause = getattr(event, "cause", None)
    if cause == "card" and not found:
        found.append(None)
    if cause == "scenario" and table.scenario is not None:
        found += [row.effect for row in table.scenario.special_rules.values()]
    return found


def tps_after_card(event: records.CardPlay, position: Position, unit: Unit) -> int | None:
    """TPs of a unit after a card was played; None where nobody can tell what it did to the unit."""
    known, target = card_of(event, position), target_of(event, position)
    if known is None or known.effect is None:
        return unit.tp if event.override is None and target is not None and target is not unit else None
    if known.effect.tp is None:
        return unit.tp
    if target is None and not is_gone(position, event.target):
        return None
    return max(0, unit.tp + known.effect.tp) if unit is target else unit.tp


def card_of(event: records.CardPlay, position: Position) -> SpecialRule | None:
    """The card that was played, if the data know it: by its id, else by the override that names it."""
    cards = position.table.cards
    known = cards.get(event.card) if event.card is not None and cards is not None else None
    return known if known is not None or event.override is None else override_named(position, event)


def warrant_by_cards(event: records.Event, position: Position) -> Warrant:
    """What cards and special rules make of a line that none of their effects can give: OPEN where only a text is known
    of one that it may rest on, else UNSTATED or NONE.
    """
    if None in effects_named(event, position):
        return Warrant.OPEN
    return Warrant.UNSTATED if getattr(event, "cause", "") is None else Warrant.NONE


def warrant_by_scenario(event: records.Event, position: Position) -> Warrant:
    """What licenses a line that takes an override or any special rule of the scenario."""
    scenario = position.table.scenario
    if event.override is not None or (scenario is not None and scenario.special_rules):
        return Warrant.OPEN if event.override is None else Warrant.GIVEN
    return warrant_by_cards(event, position)


class Removal(NamedTuple):
    """What a line that removes models rests on.

    models  those that it would remove, that are on the board
    """

    warrant: Warrant
    models: tuple[str, ...] = ()
    side: str | None = None
    cause: str | None = None


def unit_leaving(event: records.UnitRemoved, position: Position) -> Unit | None:
    """The unit of a `unit_removed`; where both sides use its label, the one that something before may have removed,
    before that of the player. None also where nobody bears the label any more, or only a unit that nothing may have
    removed while that of the other side is gone.
    """
    units = [
        unit
        for unit in units_called(position, event.unit)
        if unit.id == position.own_label(event.unit or "", unit.side)
    ]
    at_stake = {model for held in position.held if held.what == event.cause for model in held.models}
    if len(units) == 1 and event.unit in position.shared and at_stake.isdisjoint(units[0].models):
        return None if is_gone(position, event.unit, OTHER[units[0].side]) else units[0]
    if len(units) > 1:
        struck = [unit for unit in units if not at_stake.isdisjoint(unit.models)]
        units = struck or [unit for unit in units if unit.side == event.player] or units
    return units[0] if units else None


def removal_told(event: records.ModelRemoved | records.UnitRemoved, position: Position) -> Removal:
    """What licenses a `model_removed` or a `unit_removed`."""
    models: tuple[str, ...]
    if isinstance(event, records.ModelRemoved):
        standing = position.unit_of.get(event.model) if event.model is not None else None
        models = (str(event.model),)
    else:
        standing = unit_leaving(event, position)
        models = standing.models if standing is not None else ()
    if standing is None:
        return Removal(Warrant.ECHO)
    cause = event.cause

    def of(warrant: Warrant) -> Removal:
        return Removal(warrant, models, standing.side, cause)

    if cause == "attack" and all(dies_by_cards(position, model) for model in models):
        return of(Warrant.GIVEN)
    concerned = [h for h in position.held if h.what == cause and not set(h.models).isdisjoint(models)]
    if concerned:
        return of(Warrant.DIFFERS)
    return of(warrant_by_cards(event, position))


def dies_by_cards(position: Position, model: str) -> bool:
    """Whether Damage cards remove a model: so many lie on it, or its roster does not say how many it takes and an
    attack of this action has removed a location.
    """
    known, most = position.table.models.get(model), position.table.removed_at
    if known is None or not known.has_damage_deck:
        return False
    if most is not None:
        return len(position.damage_on_model) >= most
    return any(held.what == "location" and model in held.models for held in position.held)


class Destruction(NamedTuple):
    """What a `weapon_destroyed` line rests on. `carried`: whether the model has such a weapon."""

    warrant: Warrant
    carried: bool = True


def destruction_told(event: records.WeaponDestroyed, position: Position) -> Destruction:
    """What licenses a `weapon_destroyed`."""
    model = position.table.models.get(event.model) if event.model is not None else None
    if model is None or event.weapon is None:
        return Destruction(Warrant.UNSTATED)
    if event.weapon not in model.weapons:
        return Destruction(Warrant.NONE, carried=False)
    if (event.model, event.weapon) in position.destroyed:
        return Destruction(Warrant.ECHO)
    if event.cause == "damage_card":
        if not model.has_damage_deck:
            return Destruction(Warrant.NONE)  # a card drawn, or lying on Sor Gharax, destroys his weapons alone
        known = position.table.locations
        drawn = {h.weapon for h in position.held if h.what == "card"} | position.damage_on_model
        if event.card is not None:
            drawn &= {event.card}
        if any(card in known and known[card].destroys_weapon == event.weapon for card in drawn if card is not None):
            return Destruction(Warrant.GIVEN)
        return Destruction(Warrant.NONE)
    return Destruction(warrant_by_cards(event, position))

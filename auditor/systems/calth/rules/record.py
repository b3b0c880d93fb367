"""The record itself: missing facts, overrides, and what contradicts what went before (AUD)."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Note, Remark
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.calth.effects import Critical
from auditor.systems.calth.reckoning.attack import AttackView, Lacking
from auditor.systems.calth.reckoning.dice import rolled_again
from auditor.systems.calth.reckoning.licence import Warrant, card_of
from auditor.systems.calth.reckoning.overrides import named_by_override, override_named, text_that_rerolls
from auditor.systems.calth.reckoning.views import (
    RIGHT,
    MoveView,
    StatedView,
    View,
    labels_astray,
)
from auditor.systems.calth.records import Activate, Attack, CardPlay, Event, MoveModels, MoveUnit, TpLoss
from auditor.systems.calth.records import Position as StatedPosition
from auditor.systems.calth.rules.assault import assault_target
from auditor.systems.calth.rules.attack import defence_roll, loop, target_model
from auditor.systems.calth.rules.attack_roll import melee_dice, order_of_roll, ranged_dice
from auditor.systems.calth.rules.common import (
    CHAPTERS,
    SOURCE,
    Seen,
    rule,
)
from auditor.systems.calth.rules.dice import die_faces, rerolls
from auditor.systems.calth.rules.effects_melee import lightning_claws
from auditor.systems.calth.rules.effects_ranged import assault_cannon
from auditor.systems.calth.rules.shooting import shoot
from auditor.systems.calth.rules.sor_gharax import target_location
from auditor.systems.calth.rules.triggers import right_weapon, trigger
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import PLAYERS, names


def _procedure(rule_id: str, title: str, why: str, text: str) -> Any:
    return not_auditable(rule_id, title, why, text, chapter=CHAPTERS[1], source=f"{SOURCE}, section 1")


from_the_claim = _procedure(
    "CAL-AUD-01",
    "Going on from the claim",
    "It says how the audit proceeds; nobody can break it.",
    """After a finding the replay goes on from the state that the record claims, if that state can exist; else from the
    recomputed one, and the finding says so. A miscounted attack roll is followed with the dice actually recorded.""",
)


one_root = _procedure(
    "CAL-AUD-02",
    "One root, one finding",
    "It says how findings are counted; nobody can break it.",
    """A wrong early number is one finding, at the step where it first goes wrong; later steps are held against values
    recomputed from the record's own previous one. If a whole action was illegal, its arithmetic is still checked.""",
)


several_rules = _procedure(
    "CAL-AUD-03",
    "Several rules at once",
    "It orders findings; nobody can break it.",
    """An act that breaks several rules is one finding, under the first of them: who may act; what may be done now;
    with what and by whom; where and how far; what is seen; how many and how much. The other rules are named beside it.
    Two acts told in one event, as a path and a wrong count of dice, are two findings.""",
)


@rule(
    "CAL-AUD-04",
    "Facts that are missing",
    section=1,
    events=("attack",),
    kinds=(),
    finds={"attack": ("passes in doubt",)},
)
def missing_facts(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Faces, targets, paths, weapons, cards and who acted cannot be derived: without one of them the event is one
    ambiguous finding, under the rule that needed it most. Numbers that follow from facts and are left out were simply
    not claimed.

    Log:  every fact that the rules of the event name.
    """
    lacking = view.lacking(hearing)
    if not lacking:
        return RAN
    under = _needed_most(lacking[0][0], view)
    return [under.missing([what for _, what in lacking], *((event.attacker,) if event.attacker else ()))]


def _needed_most(fact: Lacking, view: AttackView) -> Rule:
    """The rule that a missing fact of an attack is told under."""
    if fact is Lacking.ATTACKER:
        return melee_dice if view.mode == "melee" else ranged_dice
    if fact is Lacking.TARGET:
        return assault_target if view.mode == "melee" else shoot
    if fact is Lacking.AGAIN:
        return lightning_claws if view.effect is Critical.LIGHTNING_CLAWS else assault_cannon
    return _NEEDED_BY[fact]


_NEEDED_BY = {
    Lacking.KIND: order_of_roll,
    Lacking.WEAPONS: ranged_dice,
    Lacking.ROLL: die_faces,
    Lacking.REROLL: rerolls,
    Lacking.EFFECT: trigger,
    Lacking.WHOSE_EFFECT: right_weapon,
    Lacking.PASSES: loop,
    Lacking.TARGET_MODEL: target_model,
    Lacking.DAMAGE_CARD: target_location,
    Lacking.DEFENCE_ROLL: defence_roll,
}


@rule(
    "CAL-AUD-05",
    "Overrides",
    section=1,
    events=("card_play", "*"),
    kinds=("ambiguous",),
    when={"*": ("override", "unlicensed")},
)
def overrides(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Scenario rules and Command cards can change any rule; the event names the one that did. Where the data hold its
    effect it is applied. Where they hold only its text, or nothing, the rules that it names are not judged on that
    event.

    Log:  the override with its source, the rules it touches, its text.
    """
    return _override(event, position) if event.override is not None else _may_be_licensed(event, view)


def _override(event: Event, position: Position) -> Seen:
    """What stands behind an override, as far as the data hold it."""
    assert event.override is not None
    known = override_named(position, event)
    source = event.override.source
    if source is None:
        return [overrides.missing(["the source of the override"])]
    if known is None:
        return [
            overrides.ambiguous(
                f'The event rests on "{source[:80]}", which neither the scenario nor the cards know.',
                source,
            )
        ]
    if known.effect is None:
        return [
            overrides.ambiguous(
                f'The event rests on "{known.name}", whose text no machine can read; '
                f"{names(sorted(named_by_override(position, event))) or 'nothing'} could not be judged.",
                known.id,
            )
        ]
    return RAN


@overrides.at("card_play")
def _card_played(event: CardPlay, view: View, position: Position, hearing: Hearing) -> Seen:
    """A card that the data do not know is never silently accepted."""
    if event.override is not None:
        return _override(event, position)
    if event.card is None:
        return [overrides.missing(["the card"])]
    if card_of(event, position) is not None:
        return RAN
    return [overrides.ambiguous(f'The card "{event.card}" was played, which the data do not know.', event.card)]


def _may_be_licensed(event: Event, view: View) -> Seen:
    """A line that rests on a card or special rule of which nobody can tell whether it gives it."""
    text = text_that_rerolls(view.position, rolled_again(event))
    if text is not None:
        return [
            overrides.ambiguous(
                f'Dice were rolled again by "{text.name}", whose text no machine can read; whether it allows that could '
                "not be judged.",
                text.id,
            )
        ]
    if view.warrant is not Warrant.OPEN:
        return None
    return [
        overrides.ambiguous(
            f"The event rests on a card or special rule whose text no machine can read, or which is not named "
            f'("{str(getattr(event, "cause", None) or "played before")[:40]}").',
        )
    ]


@rule(
    "CAL-AUD-06",
    "The record against itself",
    section=1,
    events=("activate", "move_unit", "move_models", "tp_loss", "position", "*"),
    kinds=(),
    when={"*": ("misdated", "misnamed")},
    finds=dict.fromkeys(("activate", "move_unit", "move_models"), ("misdated", "misnamed", "in doubt")),
)
def record_against_itself(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    """A start hex or unit that differs from the replayed position, with nothing between that explains it, is noted for
    the judge and accuses nobody; the record's statement is adopted where it can exist. So is a round or a phase that is
    not the one that the event belongs to, once for a stretch of like ones; it changes nothing.

    Log:  what events say of the position before them; their round and phase.
    """
    labels, unit = _labels(event, view, position), view.actor
    if unit is None:
        return [*labels, *_unknown(view, event.unit)]
    if not event.path or event.path[0] == unit.hex:
        return labels or RAN
    stood = f"by the record so far it stands at {position.at(unit.hex)}."
    start = f"{unit.id} starts at {position.at(event.path[0])} by this event; {stood}"
    return [*labels, _note(start)]


@record_against_itself.at("activate", "move_models", "tp_loss")
def _unit_named(event: Activate | MoveModels | TpLoss, view: View, position: Position, hearing: Hearing) -> Seen:
    labels, unit = _labels(event, view, position), view.actor
    if unit is None:
        labels += _unknown(view, event.unit)
    elif event.player != unit.side and event.player is not None and isinstance(event, Activate):
        labels.append(_note(f"{unit.id} is a unit of {PLAYERS[unit.side]}, and the event names the other."))
    return labels or RAN


@record_against_itself.at("*")
def _round_and_phase(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    return _labels(event, view, position) or RAN


def _labels(event: Event, view: View, position: Position) -> list[Remark]:
    """Labels of an event that all else in it contradicts, and its round and phase where they are not those that it
    belongs to, unless the event before has like ones.
    """
    found: list[Remark] = [_note(text) for text in view.astray] if view.astray else []
    astray = labels_astray(event, view)
    if astray == RIGHT:
        return found
    (round_, phase), (before_round, before_phase) = astray, position.mislabelled
    if round_ is not None and round_ != before_round:
        found.append(
            _note(
                f"The event is recorded in round {event.round}; by what went before it belongs to round {view.round}."
            )
        )
    if phase is not None and phase != before_phase:
        found.append(
            _note(
                f"The event is recorded in the {event.phase} phase; by what went before it belongs to the {view.phase} "
                "phase."
            )
        )
    return found


@record_against_itself.at("position")
def _stated_position(event: StatedPosition, view: StatedView, position: Position, hearing: Hearing) -> Seen:
    return [_note(text) for text in view.differences] if position.started else RAN


def _unknown(view: View, label: str | None) -> list[Remark]:
    """A unit that is named and is not on the board, though it has not lost all its models."""
    if label is None or view.destroyed(label):
        return []
    return [_note(f"{label} is named, and no unit of that name is on the board.")]


def _note(text: str) -> Note:
    return Note("record", text, record_against_itself.id)
